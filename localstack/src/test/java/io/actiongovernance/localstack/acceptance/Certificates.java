package io.actiongovernance.localstack.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A certificate authority of this run, and servers' certificates. */
public final class Certificates {
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().commonName("tests").certificateAuthority(0).build();

  private Certificates() {}

  /** Writes the authority's certificate where a stack is told to find it. */
  public static Path writeAuthority(Path folder) {
    try {
      return Files.writeString(folder.resolve("authority.pem"), AUTHORITY.certificatePem());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a server of the host speaks TLS with. */
  public static SSLContext server(String host) {
    return context(
        new HeldCertificate.Builder()
            .commonName(host)
            .addSubjectAlternativeName(host)
            .signedBy(AUTHORITY)
            .build(),
        AUTHORITY.certificate());
  }

  /** The same, signed by nobody whom anyone trusts. */
  static SSLContext untrustedServer(String host) {
    return context(
        new HeldCertificate.Builder().commonName(host).addSubjectAlternativeName(host).build());
  }

  private static SSLContext context(HeldCertificate certificate, X509Certificate... chain) {
    return new HandshakeCertificates.Builder()
        .heldCertificate(certificate, chain)
        .build()
        .sslContext();
  }
}
