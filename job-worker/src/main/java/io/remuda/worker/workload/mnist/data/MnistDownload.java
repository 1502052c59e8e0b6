package io.remuda.worker.workload.mnist.data;

import io.remuda.file.AtomicFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Downloads the four compressed files from the first mirror that has them. A file appears under its
 * own name only when it is complete and its checksum is right. A failure is remembered for ten
 * minutes, so that on a machine without network access not every worker waits for the same
 * timeouts. Methods must be called with the cache locked.
 */
final class MnistDownload {

  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration ONE_FILE = Duration.ofSeconds(90);
  private static final Duration RETRY_AFTER = Duration.ofMinutes(10);

  private final Path cacheDir;
  private final List<URI> mirrors;
  private final Consumer<String> says;
  private final Path failureMark;

  MnistDownload(Path cacheDir, List<URI> mirrors, Consumer<String> says) {
    this.cacheDir = cacheDir;
    this.mirrors = mirrors;
    this.says = says;
    this.failureMark = cacheDir.resolve("mnist.download-failed");
  }

  /**
   * Downloads the files into a folder of the cache.
   *
   * @return false when no mirror was reachable or served the right bytes, now or in the last ten
   *     minutes
   * @throws DataException when the cache cannot be written
   */
  boolean into(Path folder) throws DataException {
    try {
      if (failedRecently()) {
        return false;
      }
      Files.createDirectories(folder);
      HttpClient client =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
      for (URI mirror : mirrors) {
        if (allFrom(client, mirror, folder)) {
          Files.deleteIfExists(failureMark);
          return true;
        }
      }
      Files.write(failureMark, new byte[0]);
      return false;
    } catch (IOException e) {
      throw CacheLock.unwritable(cacheDir, e);
    }
  }

  private boolean failedRecently() throws IOException {
    if (!Files.exists(failureMark)) {
      return false;
    }
    Instant failed = Files.getLastModifiedTime(failureMark).toInstant();
    return Instant.now().isBefore(failed.plus(RETRY_AFTER));
  }

  private boolean allFrom(HttpClient client, URI mirror, Path folder) throws IOException {
    for (MnistFileKind file : MnistFileKind.values()) {
      says.accept("downloading " + file.packedName() + " from " + mirror.getHost());
      byte[] packed;
      try {
        packed = fetch(client, mirror.resolve(file.packedName()));
        verify(file, packed);
      } catch (IOException e) {
        says.accept("download failed: " + e.getMessage());
        return false;
      }
      save(folder, file, packed);
    }
    return true;
  }

  private static byte[] fetch(HttpClient client, URI uri) throws IOException {
    HttpRequest get = HttpRequest.newBuilder(uri).build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(get, HttpResponse.BodyHandlers.ofByteArray());
    try {
      HttpResponse<byte[]> response = answer.get(ONE_FILE.toSeconds(), TimeUnit.SECONDS);
      if (response.statusCode() != 200) {
        throw new IOException(uri + " answered with status " + response.statusCode());
      }
      return response.body();
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new IOException(uri + " took longer than " + ONE_FILE.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(uri + ": " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while downloading " + uri, e);
    }
  }

  private static void verify(MnistFileKind file, byte[] packed) throws IOException {
    byte[] bytes;
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      bytes = in.readAllBytes();
    }
    String md5 = Md5Checksum.of(bytes);
    if (!md5.equals(file.md5())) {
      throw new IOException(
          file.packedName() + " has MD5 " + md5 + " unpacked, the genuine file has " + file.md5());
    }
  }

  private static void save(Path folder, MnistFileKind file, byte[] packed) throws IOException {
    Files.deleteIfExists(folder.resolve(file.fileName()));
    AtomicFile.write(folder.resolve(file.packedName()), packed);
  }
}
