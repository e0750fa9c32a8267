package io.actiongovernance.export;

import io.actiongovernance.store.StoreUnavailable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;

/**
 * Storage of the files of exports. A failure that may pass is reported as {@link StoreUnavailable}.
 * Implementations are thread-safe, uploads are not.
 */
public interface ExportFiles {
  /**
   * Begins a file.
   *
   * @param name its unique name in storage
   * @param downloadName its name on the disk of the user who downloads it
   */
  Upload begin(String name, String downloadName, ExportFormat format);

  /** Returns an address from which anyone may download the file during this time. */
  URI link(String name, Duration life);

  /** Bytes of a file in progress. The file exists, complete, once they are committed. */
  abstract class Upload extends OutputStream {
    public abstract void commit() throws IOException;

    /** Discards the bytes that were written, unless they were committed. */
    @Override
    public abstract void close();
  }
}
