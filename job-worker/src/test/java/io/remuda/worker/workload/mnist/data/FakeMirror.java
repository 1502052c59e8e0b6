package io.remuda.worker.workload.mnist.data;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** A mirror on the loopback interface that counts what it is asked for. */
final class FakeMirror {

  private final HttpServer server;
  private final AtomicInteger requests = new AtomicInteger();
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();

  private FakeMirror(HttpServer server) {
    this.server = server;
  }

  static FakeMirror start() throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    FakeMirror mirror = new FakeMirror(HttpServer.create(address, 0));
    mirror.server.createContext("/", mirror::answer);
    mirror.server.start();
    return mirror;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mnist/");
  }

  int requests() {
    return requests.get();
  }

  /** Serves the packed files of a folder. */
  void serve(Path folder) throws IOException {
    for (MnistFileKind file : MnistFileKind.values()) {
      files.put(
          "/mnist/" + file.packedName(), Files.readAllBytes(folder.resolve(file.packedName())));
    }
  }

  /** Packs and serves the plain files of a folder. */
  void servePacked(Path folder) throws IOException {
    for (MnistFileKind file : MnistFileKind.values()) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (OutputStream out = new GZIPOutputStream(packed)) {
        Files.copy(folder.resolve(file.fileName()), out);
      }
      files.put("/mnist/" + file.packedName(), packed.toByteArray());
    }
  }

  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    byte[] body = files.get(exchange.getRequestURI().getPath());
    if (body == null) {
      exchange.sendResponseHeaders(404, -1);
    } else {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }
}
