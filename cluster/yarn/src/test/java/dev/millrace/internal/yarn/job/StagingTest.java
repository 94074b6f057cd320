package dev.millrace.internal.yarn.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagingTest {
  @TempDir private Path directory;
  private Staging staging;

  @BeforeEach
  void open() throws IOException {
    FileSystem files = FileSystem.getLocal(new Configuration());
    staging = new Staging(files, new org.apache.hadoop.fs.Path(directory.resolve("s").toUri()));
  }

  @Test
  void aFileIsCopiedOnce() throws IOException {
    Path jar = Files.writeString(directory.resolve("some.jar"), "one");
    JobFile first = staging.upload(jar);
    assertEquals("some.jar", first.link());
    assertEquals(3, first.sizeBytes());
    Path copy = Path.of(new org.apache.hadoop.fs.Path(first.path()).toUri().getPath());
    Files.setLastModifiedTime(copy, FileTime.fromMillis(1_000_000_000_000L));
    // YARN refuses a file whose time has changed, so that is as it was.
    assertEquals(1_000_000_000_000L, staging.upload(jar).modifiedMillis());
    Files.writeString(jar, "two");
    assertNotEquals(first.path(), staging.upload(jar).path());
    assertEquals("one", Files.readString(copy));
  }

  @Test
  void aCopyThatWasCutOffIsMadeAgain() throws IOException {
    Path jar = Files.writeString(directory.resolve("some.jar"), "all of it");
    JobFile first = staging.upload(jar);
    Path copy = Path.of(new org.apache.hadoop.fs.Path(first.path()).toUri().getPath());
    Files.writeString(copy, "all");
    staging.upload(jar);
    assertEquals("all of it", Files.readString(copy));
  }

  @Test
  void aTextIsReplacedAsAWhole() throws IOException {
    org.apache.hadoop.fs.Path homes = staging.homes("counting");
    assertEquals(List.of(), staging.lines(homes));
    staging.write(homes, "a\nb\n");
    staging.write(homes, "c\n");
    assertEquals(List.of("c"), staging.lines(homes));
  }

  @Test
  void aSecretIsForItsOwnerAlone() throws IOException {
    Path keytab = Files.writeString(directory.resolve("user.keytab"), "key");
    Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-r--r--"));
    JobFile there =
        staging.copySecret(
            keytab,
            new org.apache.hadoop.fs.Path(
                staging.run(ApplicationId.newInstance(1_000, 7)), "master.keytab"));
    Path copy = Path.of(new org.apache.hadoop.fs.Path(there.path()).toUri().getPath());
    assertEquals("key", Files.readString(copy));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)));
    // Hosts keep a private file for the user's later runs.
    assertEquals(LocalResourceVisibility.APPLICATION, there.resourceOfOneRun().getVisibility());
  }

  @Test
  void aRunIsRemovedWithAllItHas() throws IOException {
    org.apache.hadoop.fs.Path run = staging.run(ApplicationId.newInstance(1_000, 7));
    org.apache.hadoop.fs.Path stop = new org.apache.hadoop.fs.Path(run, "stop");
    staging.write(stop, "");
    assertTrue(staging.has(stop));
    assertEquals(
        "application_1000_0007", staging.list("applications").getFirst().getPath().getName());
    staging.remove(run);
    assertFalse(staging.has(stop));
    assertEquals(List.of(), staging.list("applications"));
  }
}
