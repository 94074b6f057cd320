package dev.millrace.internal.engine.planted;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Each method does one thing that the engine may not do. Nothing here is ever called.
@SuppressWarnings({"JavaTimeDefaultTimeZone", "JavaUtilDate", "ThreadLocalUsage"})
public final class Banned {
  private Banned() {}

  static long currentTimeMillis() {
    return System.currentTimeMillis();
  }

  static long nanoTime() {
    return System.nanoTime();
  }

  static LongSupplier nanoTimeByReference() {
    return System::nanoTime;
  }

  static LongSupplier nanoTimeInLambda() {
    return () -> System.nanoTime() / 1000;
  }

  static Instant instantNow() {
    return Instant.now();
  }

  static LocalDate localDateNow() {
    return LocalDate.now();
  }

  static ZonedDateTime zonedDateTimeNow(Clock clock) {
    return ZonedDateTime.now(clock.getZone());
  }

  static Clock systemClock() {
    return Clock.systemUTC();
  }

  static Date newDate() {
    return new Date();
  }

  static Thread newThread(Runnable work) {
    return new Thread(work);
  }

  static void startThread(Thread thread) {
    thread.start();
  }

  static Thread ofVirtual(Runnable work) {
    return Thread.ofVirtual().unstarted(work);
  }

  static Thread ofPlatform(Runnable work) {
    return Thread.ofPlatform().unstarted(work);
  }

  static void sleep() throws InterruptedException {
    Thread.sleep(1);
  }

  static ExecutorService executors() {
    return Executors.newSingleThreadExecutor();
  }

  static ForkJoinPool commonPool() {
    return ForkJoinPool.commonPool();
  }

  static Timer timer() {
    return new Timer();
  }

  static CompletableFuture<Void> runAsync(Runnable work) {
    return CompletableFuture.runAsync(work);
  }

  static CompletableFuture<Integer> thenApplyAsync(CompletableFuture<Integer> future) {
    return future.thenApplyAsync(each -> each + 1);
  }

  static CompletableFuture<Integer> orTimeout(CompletableFuture<Integer> future) {
    return future.orTimeout(1, TimeUnit.SECONDS);
  }

  static Stream<String> parallelStream(List<String> list) {
    return list.parallelStream();
  }

  static IntStream parallel() {
    return IntStream.range(0, 3).parallel();
  }

  static void parallelSort(int[] numbers) {
    Arrays.parallelSort(numbers);
  }

  static double mathRandom() {
    return Math.random();
  }

  static Random newRandom() {
    return new Random();
  }

  static SplittableRandom newSplittableRandom() {
    return new SplittableRandom();
  }

  static RandomGenerator randomGenerator() {
    return RandomGenerator.getDefault();
  }

  static int threadLocalRandom() {
    return ThreadLocalRandom.current().nextInt();
  }

  static UUID randomUuid() {
    return UUID.randomUUID();
  }

  static boolean filesExists(Path path) {
    return Files.exists(path);
  }

  static InputStream fileInputStream(String path) throws IOException {
    return new FileInputStream(path);
  }

  static OutputStream fileOutputStream(String path) throws IOException {
    return new FileOutputStream(path);
  }

  static boolean file(Path path) {
    return new File(path.toString()).exists();
  }

  static FileChannel fileChannel(Path path) throws IOException {
    return FileChannel.open(path);
  }

  static Socket socket() {
    return new Socket();
  }

  static ServerSocket serverSocket() throws IOException {
    return new ServerSocket();
  }

  static SocketChannel socketChannel() throws IOException {
    return SocketChannel.open();
  }

  static int identityHashCode(Object object) {
    return System.identityHashCode(object);
  }

  static Map<String, String> identityHashMap() {
    return new IdentityHashMap<>();
  }

  static ThreadLocal<String> threadLocal() {
    return new ThreadLocal<>();
  }

  static Map<String, String> mapOf() {
    return Map.of("a", "b");
  }

  static Map<String, String> mapOfEntries(Map.Entry<String, String> entry) {
    return Map.ofEntries(entry);
  }

  static Map<String, String> mapCopyOf(Map<String, String> map) {
    return Map.copyOf(map);
  }

  static Set<String> setOf() {
    return Set.of("a");
  }

  static Set<String> setCopyOf(List<String> list) {
    return Set.copyOf(list);
  }

  static Set<String> toUnmodifiableSet(List<String> list) {
    return list.stream().collect(Collectors.toUnmodifiableSet());
  }
}
