package io.actiongovernance.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Export files in memory. */
final class InMemoryExportFiles implements ExportFiles {
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private Runnable onCommit = () -> {};

  /** Has this run before each file is made; what it throws, the commit throws. */
  void onCommit(Runnable hook) {
    onCommit = hook;
  }

  Map<String, byte[]> files() {
    return files;
  }

  @Override
  public Upload begin(String name, String downloadName, ExportFormat format) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    return new Upload() {
      @Override
      public void write(int one) {
        bytes.write(one);
      }

      @Override
      public void write(byte[] buffer, int from, int length) {
        bytes.write(buffer, from, length);
      }

      @Override
      public void commit() throws IOException {
        onCommit.run();
        files.put(name, bytes.toByteArray());
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public URI link(String name, Duration life) {
    return URI.create("memory:" + name);
  }
}
