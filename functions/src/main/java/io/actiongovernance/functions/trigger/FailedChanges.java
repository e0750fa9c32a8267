package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The bucket of changes that were given up, each with its whole record. Lambda puts a change there
 * after too many failures, and a relay puts a change there that it cannot read. Each new object is
 * announced in the queue {@code failed-changes}. Thread-safe.
 */
public final class FailedChanges {
  /** Prefix of the changes that a relay has given up. */
  public static final String GIVEN_UP = "changes/";

  /** Prefix of the changes that Lambda has given up. */
  public static final String BY_LAMBDA = "aws/lambda/";

  /**
   * Prefix of the objects that count tries. There is one for each try but the last, and it contains
   * a name of the try.
   */
  public static final String TRIED = "tries/";

  /**
   * The number of tries. It is three, not one, because during a rollout the next version may read
   * what this one cannot.
   */
  private static final int TRIES = 3;

  private static final Logger LOG = LoggerFactory.getLogger(FailedChanges.class);
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Supplier<S3Client> s3;
  private final String bucket;
  private final String relay;

  /**
   * @param relay the name of the relay that gives changes up
   */
  FailedChanges(Supplier<S3Client> s3, String bucket, String relay) {
    this.s3 = s3;
    this.bucket = bucket;
    this.relay = relay;
  }

  /**
   * Counts a try to read a change. The bucket keeps the count, because each try may run in another
   * process.
   *
   * @return whether this was the last try; the record is then in the bucket, and the stream can
   *     move on
   */
  boolean giveUp(DynamodbStreamRecord change) {
    String name = relay + "/" + change.getEventID();
    try {
      for (int tried = 1; tried < TRIES; tried++) {
        if (isTry(TRIED + name + "/" + tried)) {
          return false;
        }
      }
      put(GIVEN_UP + name, record(change));
      LOG.atError().addKeyValue("change", name).log("A change that cannot be read was given up");
      return true;
    } catch (SdkException e) {
      LOG.warn("The change {} cannot be given up", name, e);
      return false;
    }
  }

  /**
   * Returns whether this call created the named object, so that the object counts this try and not
   * an earlier one. If the response to a put is lost, the client repeats the put, which S3 then
   * refuses because the object exists. The object's content shows which call created it.
   */
  private boolean isTry(String name) {
    String own = UUID.randomUUID().toString();
    return put(name, own) || read(name).equals(own);
  }

  /** The record of a change, in the form that Lambda uses for its own records. */
  private String record(DynamodbStreamRecord change) {
    ObjectNode record = Json.object();
    record.putObject("requestContext").put("functionArn", relay);
    record.set("payload", ChangeRecords.write(List.of(change)));
    return Json.write(record);
  }

  String read(String name) {
    return s3.get().getObjectAsBytes(get -> get.bucket(bucket).key(name)).asUtf8String();
  }

  /** Puts an object unless one of that name exists; returns whether it was put. */
  private boolean put(String name, String text) {
    try {
      s3.get()
          .putObject(
              request ->
                  request
                      .bucket(bucket)
                      .key(name)
                      .ifNoneMatch("*")
                      .overrideConfiguration(override -> override.apiCallTimeout(WAIT)),
              RequestBody.fromString(text));
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() == HttpURLConnection.HTTP_PRECON_FAILED) {
        return false;
      }
      throw e;
    }
  }
}
