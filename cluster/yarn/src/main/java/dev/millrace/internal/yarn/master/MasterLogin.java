package dev.millrace.internal.yarn.master;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// As whom a master acts, and the tokens by which node managers fetch the files of processes from
/// HDFS. For one thread.
///
/// Without a keytab both are the tokens that came with the submission. The resource manager renews
/// them until their maximal lifetime is over.
///
/// With a keytab the master logs in by Kerberos, and gets tokens for processes by itself. It is
/// their renewer, too: HDFS says only to the renewer how long a token lives. They are not renewed a
/// second time, but replaced, when half of that time is over and a process is to be started.
final class MasterLogin {
  private static final Logger LOG = LoggerFactory.getLogger(MasterLogin.class);

  /// The part of the tokens' life after which they are replaced. The rest is for the node manager,
  /// which copies files some time after it was told to.
  private static final double REPLACED_AFTER = 0.5;

  /// When to ask again where tokens do not end or are not needed.
  private static final Duration WITHOUT_END = Duration.ofHours(1);

  /// When to ask again after a failure.
  private static final Duration RETRY = Duration.ofSeconds(10);

  private final Configuration config;
  private final @Nullable FileSystem issuer;
  private ByteBuffer tokens;
  private long replaceMillis;

  /// @param issuer of new tokens; null if there will be none
  private MasterLogin(Configuration config, Credentials first, @Nullable FileSystem issuer)
      throws IOException {
    this.config = config;
    this.issuer = issuer;
    tokens = written(first);
  }

  /// Logs in.
  ///
  /// @param principal whose keytab is in the working directory; null without one
  /// @param staged a directory in HDFS
  static MasterLogin of(@Nullable String principal, Path staged, Configuration config)
      throws IOException, InterruptedException {
    UserGroupInformation.setConfiguration(config);
    Credentials forMaster = new Credentials();
    Credentials forProcesses = new Credentials();
    for (Token<?> each : UserGroupInformation.getLoginUser().getCredentials().getAllTokens()) {
      boolean ofMaster = each.getKind().equals(AMRMTokenIdentifier.KIND_NAME);
      (ofMaster ? forMaster : forProcesses).addToken(each.getService(), each);
    }
    if (principal == null) {
      return new MasterLogin(config, forProcesses, null);
    }
    UserGroupInformation.loginUserFromKeytab(principal, MasterMain.KEYTAB);
    // Not those for HDFS: the client would prefer them to the login, even when they have ended.
    UserGroupInformation.getLoginUser().addCredentials(forMaster);
    FileSystem files = FileSystem.get(staged.toUri(), config);
    MasterLogin login = new MasterLogin(config, forProcesses, files);
    login.replace(files);
    LOG.info("Logged in as {}.", principal);
    return login;
  }

  /// Returns what a process that is started now is to have, for the node manager.
  ByteBuffer tokens() throws InterruptedException {
    if (issuer != null && nowMillis() >= replaceMillis) {
      try {
        replace(issuer);
      } catch (IOException e) {
        LOG.warn("There are no new tokens for HDFS, so the last ones are used: {}", e.toString());
        replaceMillis = nowMillis() + RETRY.toMillis();
      }
    }
    return tokens.duplicate();
  }

  private void replace(FileSystem files) throws IOException, InterruptedException {
    Credentials fresh = new Credentials();
    files.addDelegationTokens(UserGroupInformation.getLoginUser().getUserName(), fresh);
    long endMillis = Long.MAX_VALUE;
    for (Token<?> each : fresh.getAllTokens()) {
      if (each.isManaged()) {
        endMillis = Math.min(endMillis, each.renew(config));
      }
    }
    tokens = written(fresh);
    long lifeMillis = endMillis - System.currentTimeMillis();
    replaceMillis =
        nowMillis()
            + (endMillis == Long.MAX_VALUE
                ? WITHOUT_END.toMillis()
                : (long) (lifeMillis * REPLACED_AFTER));
  }

  private static ByteBuffer written(Credentials credentials) throws IOException {
    try (DataOutputBuffer out = new DataOutputBuffer()) {
      credentials.writeTokenStorageToStream(out);
      return ByteBuffer.wrap(out.getData(), 0, out.getLength());
    }
  }

  private static long nowMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }
}
