package io.actiongovernance.export;

import io.actiongovernance.store.StoreUnavailable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;

/**
 * Storage of the files of exports. Every failure to act at the moment is {@link StoreUnavailable}.
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

  /** Returns an address from which anyone may download the file for this long. */
  URI link(String name, Duration life);

  /** Bytes of a file in progress; the file exists, complete, once they are committed. */
  abstract class Upload extends OutputStream {
    public abstract void commit() throws IOException;

    /** Drops what was written, unless it was committed. */
    @Override
    public abstract void close();
  }
}
