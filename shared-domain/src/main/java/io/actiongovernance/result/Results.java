package io.actiongovernance.result;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.or;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.result.KeptResult.Content;
import io.actiongovernance.result.KeptResult.Encoding;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results of calls, kept for a while (contract for agents, section 1). Each result is an item under
 * its action and the SHA-256 of the answer, stored before the disposal that names it. So a process
 * that dies in between leaves an item that will expire. If an action was disposed in the meantime,
 * the answer of its call is stored beside the existing one and never replaces it. Results are
 * sealed, so that nobody can read them from the tables. Thread-safe.
 */
public final class Results {
  /** Maximum size in bytes of an answer that is kept in a sealed item, if no file can hold it. */
  public static final int LONGEST_IN_TABLE = 256 * 1_024;

  /**
   * Maximum size in bytes of an answer that goes directly into an item. For each kilobyte, a table
   * costs as much as a bucket does for three files, but it answers sooner.
   */
  public static final int SHORT = 16 * 1_024;

  /** Prefix of the names of result files. */
  public static final String FOLDER = "results/";

  private static final Logger LOG = LoggerFactory.getLogger(Results.class);
  private static final String SEALED = "sealed";
  private static final byte END_OF_HEAD = '\n';

  private final Store store;
  private final Sealer sealer;
  private final ResultFiles files;
  private final Duration life;
  private final InstantSource clock;

  public Results(
      Store store, Sealer sealer, ResultFiles files, Duration life, InstantSource clock) {
    this.store = store;
    this.sealer = sealer;
    this.files = files;
    this.life = life;
    this.clock = clock;
  }

  /**
   * Place of a result.
   *
   * @param sha256 the SHA-256 of the whole answer, in hex
   */
  private record Place(Partition partition, ActionId action, String sha256) {
    Key key() {
      return new Key(Table.RESULTS, partition.key("result#" + action.value()), sha256);
    }

    /**
     * Returns the file's name, which is also the context of the seal, so that the result cannot be
     * opened elsewhere.
     */
    String file() {
      return FOLDER + partition.key().replace('#', '/') + "/" + action.value() + "/" + sha256;
    }
  }

  /**
   * Returns the seal for results. It must be obtained before the call.
   *
   * @throws StoreUnavailable if the seal is not available at the moment
   */
  public Sealer.Seal sealing(Partition partition) {
    return sealer.sealing(partition, Purpose.RESULT);
  }

  /**
   * Keeps the answer of an action's call.
   *
   * @param seal the {@link #sealing} obtained before the call
   * @param until latest time to wait for the bucket
   * @return the SHA-256 of the answer, by which it is found
   */
  public String keep(
      Sealer.Seal seal, Partition partition, ActionId action, WholeAnswer answer, Instant until) {
    Place place = new Place(partition, action, sha256(answer.bytes()));
    int bytes = answer.bytes().length;
    boolean tooLong = answer.cut() || bytes > WholeAnswer.LONGEST;
    if (bytes <= SHORT || tooLong || !keptAsFile(seal, place, answer, until)) {
      boolean part = bytes > LONGEST_IN_TABLE && !tooLong;
      put(place, sealed(seal, place, answer, LONGEST_IN_TABLE), part);
    }
    return place.sha256();
  }

  private boolean keptAsFile(Sealer.Seal seal, Place place, WholeAnswer answer, Instant until) {
    Duration within = Duration.between(clock.instant(), until);
    if (!within.isPositive()) {
      return false;
    }
    try {
      files.put(place.file(), sealed(seal, place, answer, WholeAnswer.LONGEST), within);
    } catch (StoreUnavailable e) {
      LOG.warn(
          "The result of {} goes into the table, which holds the first 256 KB", place.action(), e);
      return false;
    }
    put(place, null, false);
    return true;
  }

  /**
   * Writes the item of an answer. The item that expires last remains, but a part never replaces an
   * item that is already there.
   *
   * @param closed the sealed text; null if it is in a file
   */
  private void put(Place place, @Nullable String closed, boolean part) {
    long expires = clock.instant().plus(life).getEpochSecond();
    Condition condition = part ? absent() : or(absent(), atMost(Table.EXPIRES, expires));
    store.write(
        Write.put(
            Item.at(place.key()).with(SEALED, closed).with(Table.EXPIRES, expires).build(),
            condition));
  }

  private static String sealed(Sealer.Seal seal, Place place, WholeAnswer answer, int most) {
    byte[] whole = answer.bytes();
    Content all = new Content(isText(answer) ? Encoding.TEXT : Encoding.BASE64, whole);
    Content kept = all.first(most);
    byte[] head =
        Json.write(
                Json.object()
                    .put("content_type", answer.contentType())
                    .put("encoding", kept.encoding().wire())
                    .put("truncated", answer.cut() || kept.size() < whole.length)
                    .put("bytes", whole.length))
            .getBytes(StandardCharsets.UTF_8);
    byte[] text =
        ByteBuffer.allocate(head.length + 1 + kept.size())
            .put(head)
            .put(END_OF_HEAD)
            .put(kept.bytes())
            .array();
    return seal.seal(place.file(), text);
  }

  /**
   * Returns whether an answer is text. An answer that was cut may end in the middle of a character.
   */
  private static boolean isText(WholeAnswer answer) {
    byte[] all = answer.bytes();
    Content known =
        answer.cut()
            ? new Content(Encoding.TEXT, all).first(all.length - 1)
            : new Content(Encoding.TEXT, all);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(known.bytes()));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Finds a result that is still kept. */
  public Optional<KeptResult> find(Partition partition, ActionId action, String sha256) {
    Place place = new Place(partition, action, sha256);
    Optional<Item> item =
        store
            .get(place.key())
            .filter(found -> found.whole(Table.EXPIRES, 0) > clock.instant().getEpochSecond());
    return item.flatMap(
            found -> found.has(SEALED) ? Optional.of(found.text(SEALED)) : files.get(place.file()))
        .flatMap(closed -> sealer.open(partition, Purpose.RESULT, place.file(), closed))
        .map(text -> read(place, text, item.orElseThrow().whole(Table.EXPIRES, 0)));
  }

  private static KeptResult read(Place place, byte[] text, long expires) {
    int end = 0;
    while (text[end] != END_OF_HEAD) {
      end++;
    }
    JsonNode head = Json.read(new String(text, 0, end, StandardCharsets.UTF_8));
    Encoding encoding =
        head.get("encoding").asText().equals(Encoding.TEXT.wire())
            ? Encoding.TEXT
            : Encoding.BASE64;
    return new KeptResult(
        place.action(),
        head.get("content_type").textValue(),
        new Content(encoding, Arrays.copyOfRange(text, end + 1, text.length)),
        head.get("truncated").asBoolean(),
        head.get("bytes").asLong(),
        place.sha256(),
        Instant.ofEpochSecond(expires));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
