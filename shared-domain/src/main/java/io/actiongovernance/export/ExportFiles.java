package io.actiongovernance.export;

import io.actiongovernance.store.StoreUnavailable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.time.Duration;

/**
 * Where the files of exports are kept. Whatever cannot be done at the moment is {@link
 * StoreUnavailable}. Implementations are thread-safe, uploads are not.
 */
public interface ExportFiles {
  /**
   * Begins a file.
   *
   * @param name what it is kept under; nothing else is
   * @param downloadName what it is to be called on the disk of who downloads it
   */
  Upload begin(String name, String downloadName, ExportFormat format);

  /** An address from which anybody may download the file for so long. */
  URI link(String name, Duration life);

  /** Bytes on their way into a file, which is there, whole, once they are committed. */
  abstract class Upload extends OutputStream {
    /** Makes the file of all that was written. */
    public abstract void commit() throws IOException;

    /** Drops what was written, unless it was committed. */
    @Override
    public abstract void close();
  }
}
