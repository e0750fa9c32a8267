package io.actiongovernance.functions.egress;

import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;

/** Describes failed connections without revealing anything about the network. */
public final class Failures {
  private Failures() {}

  /** The reason for the failure, for people. */
  public static String why(Exception e) {
    return switch (e) {
      case EgressGuard.Refused refused -> refused.why();
      case UnknownHostException _ -> "its name is not known";
      case ConnectException _ -> "it refused the connection";
      case ZipException _ -> "its answer cannot be decompressed";
      case SSLException _ -> "no secure connection could be made";
      case InterruptedIOException _ -> "it did not answer in time";
      default -> "the connection broke";
    };
  }
}
