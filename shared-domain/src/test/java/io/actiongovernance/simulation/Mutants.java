package io.actiongovernance.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The planted bugs that the simulation must find. */
enum Mutants implements Mutant {
  /** The sweeper takes every event for handed on. */
  EVERY_EVENT_TAKEN_FOR_HANDED_ON {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public List<Item> getAll(List<Key> keys) {
          return keys.stream().allMatch(this::holdsMarks)
              ? keys.stream().map(this::marked).toList()
              : inner.getAll(keys);
        }

        private boolean holdsMarks(Key key) {
          return key.partition().contains("#envelopes-handed-on#");
        }

        private Item marked(Key key) {
          Set<String> all =
              IntStream.range(0, 100).mapToObj(Integer::toString).collect(Collectors.toSet());
          return Item.at(key).with("handed_on", all).build();
        }
      };
    }
  },

  /** The last relay to come gives an outcome its place. */
  OUTCOME_PLACED_WITHOUT_CONDITION {
    @Override
    public boolean tells() {
      return true;
    }

    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Put(Item item, Condition _)
                      && item.key().partition().contains("#outcome#")
                  ? Write.put(item, Condition.always())
                  : write);
    }
  },

  /** A reader does not tell the log of outcomes how far it has read the other one. */
  OUTCOMES_NOT_FENCED {
    @Override
    public boolean tells() {
      return true;
    }

    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Written write(Write write) {
          return fences(write)
              ? new Written.Done(
                  Optional.of(inner.get(write.key()).orElse(Item.at(write.key()).build())))
              : inner.write(write);
        }
      };
    }

    private boolean fences(Write write) {
      return write instanceof Write.Update(Key key, List<Change> changes, Condition _)
          && key.partition().contains("#outcomes-head")
          && changes.size() == 1;
    }
  },

  /** A lock is handed over to a plan whether or not it is open still. */
  HANDED_OVER_WITHOUT_LOOKING {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          return inner.transact(
              writes.stream().anyMatch(Mutants::disposal)
                  ? writes.stream().map(this::claimingWhatever).toList()
                  : writes);
        }

        private Write claimingWhatever(Write write) {
          return write instanceof Write.Update(Key key, List<Change> changes, Condition _)
                  && changes.stream().anyMatch(change -> change.name().equals("claim"))
              ? new Write.Update(key, changes, Condition.always())
              : write;
        }
      };
    }
  },

  /** Who reads an ended plan with an action that is open does not look at that again. */
  TORN_READ_TAKEN_FOR_ONE_MOMENT {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        private final Map<Scheduler.Invocation, Map<Key, Item>> read = new HashMap<>();

        @Override
        public List<Item> getAll(List<Key> keys) {
          Scheduler.Invocation process = world.scheduler.running();
          Map<Key, Item> before = read.getOrDefault(process, Map.of());
          if (torn(before.values()) && before.keySet().containsAll(keys)) {
            return keys.stream().map(before::get).toList();
          }
          List<Item> items = inner.getAll(keys);
          Map<Key, Item> now = new HashMap<>();
          items.forEach(item -> now.put(item.key(), item));
          read.put(process, now);
          return items;
        }

        private boolean torn(Collection<Item> items) {
          return items.stream().anyMatch(item -> "EXECUTED".equals(item.textOrNull("state")))
              && items.stream()
                  .filter(item -> "action".equals(item.textOrNull("kind")))
                  .anyMatch(item -> !Actions.read(item).settled());
        }
      };
    }
  },

  /** The locks go as soon as a call is intended. */
  LOCK_RELEASED_TOO_EARLY {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          Transacted done = inner.transact(writes);
          if (writes.stream().anyMatch(Mutants::intent)) {
            world.inner.everything().stream()
                .filter(item -> item.has("holder"))
                .forEach(lock -> inner.write(Write.delete(lock.key(), Condition.always())));
            world.inner.everything().stream()
                .filter(item -> "lock".equals(item.textOrNull("waiting_on")))
                .map(plan -> new PlanId(plan.text("id")))
                .forEach(plan -> world.queues.wake(world.tenancy.partition, plan, Duration.ZERO));
          }
          return done;
        }
      };
    }
  },

  /** What is amended is vetoed whether or not it is open still. */
  AMENDED_WITHOUT_LOOKING {
    @Override
    public boolean concerns(World world, Scenario scenario) {
      return scenario.amends;
    }

    @Override
    public Store store(Store store, World world) {
      return bendingAmendments(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition _)
                  ? Optional.of(new Write.Update(key, changes, Condition.always()))
                  : Optional.of(write));
    }
  },

  /** What is amended is left as it was. */
  AMENDED_BESIDE_THE_OLD {
    @Override
    public Store store(Store store, World world) {
      return bendingAmendments(store, _ -> Optional.empty());
    }
  },

  /** The last voter does not see votes given at the same moment. */
  VOTES_NOT_COUNTED_ON_THEIR_PLAN {
    @Override
    public Store store(Store store, World world) {
      return bendingVotes(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition _)
                      && key.range().startsWith(PlanId.PREFIX)
                  ? Write.update(key, Condition.equal("state", "PROPOSED"), changes)
                  : write);
    }
  },

  /** Who was suspended between the judgement and the claim counts. */
  VOTERS_NOT_LOOKED_AT_AGAIN {
    @Override
    public Store store(Store store, World world) {
      return bendingVotes(
          store,
          write ->
              write instanceof Write.Check(Key key, Condition _)
                      && key.range().startsWith(PersonId.PREFIX)
                  ? Write.check(key, Condition.always())
                  : write);
    }
  },

  /** The vote that satisfies is written before it is known whether the plan can be claimed. */
  VOTE_WRITTEN_BEFORE_THE_CLAIM {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          boolean claims = writes.stream().anyMatch(write -> assigns(write, "claim"));
          if (!claims || writes.stream().noneMatch(Mutants::vote)) {
            return inner.transact(writes);
          }
          inner.transact(writes.stream().filter(Mutants::ofVote).toList());
          return inner.transact(
              writes.stream()
                  .map(
                      write -> ofVote(write) ? Write.check(write.key(), Condition.always()) : write)
                  .toList());
        }
      };
    }
  },

  /** A person's vote is counted as another's too. */
  VOTE_COUNTED_TWICE {
    @Override
    public Store store(Store store, World world) {
      return bendingVotesRead(
          store,
          item -> {
            String person = item.key().range();
            return Stream.concat(
                Stream.of(item),
                world.tenancy.people.stream()
                    .map(other -> other.id().value())
                    .filter(other -> !other.equals(person))
                    .limit(3)
                    .map(other -> with(item, "doc", item.text("doc").replace(person, other))));
          });
    }
  },

  /** A vote for one action of a plan counts for all of them. */
  VOTE_FOR_SOMETHING_ELSE_COUNTED {
    @Override
    public Store store(Store store, World world) {
      return bendingVotesRead(
          store,
          item -> {
            String plan = item.key().partition();
            ObjectNode vote = (ObjectNode) Json.read(item.text("doc"));
            var selected = vote.putArray("selected");
            world
                .inner
                .get(
                    Plans.key(
                        world.tenancy.partition,
                        new PlanId(plan.substring(plan.indexOf(PlanId.PREFIX)))))
                .map(Plans::read)
                .ifPresent(
                    found -> found.terms().actionIds().forEach(id -> selected.add(id.value())));
            return Stream.of(with(item, "doc", Json.write(vote)));
          });
    }
  },

  /** Who proposed may vote on it. */
  PROPOSERS_VOTE_COUNTED {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Optional<Item> get(Key key) {
          return inner
              .get(key)
              .map(item -> key.range().startsWith(PlanId.PREFIX) ? forgetting(item) : item);
        }
      };
    }

    private Item forgetting(Item plan) {
      return plan.has("doc")
          ? with(
              plan, "doc", plan.text("doc").replaceAll("per_[0-9a-z]{26}", "per_" + "0".repeat(26)))
          : plan;
    }
  },

  /** Who asks to undo is taken for who may approve it. */
  UNDO_GOES_ROUND_ITS_APPROVAL {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public List<Item> getAll(List<Key> keys) {
          List<Item> items = inner.getAll(keys);
          return world.scheduler.running().name.equals("undo")
              ? items.stream().map(this::askingNobody).toList()
              : items;
        }

        private Item askingNobody(Item item) {
          if (!"operator".equals(item.textOrNull("kind")) || !item.has("guardrails")) {
            return item;
          }
          JsonNode guardrails = Json.read(item.text("guardrails"));
          guardrails.findParents("approval").forEach(one -> ((ObjectNode) one).remove("approval"));
          return with(item, "guardrails", Json.write(guardrails));
        }
      };
    }
  },

  /** Who asks to undo does not look whether somebody else has asked since. */
  UNDO_ASKED_FOR_TWICE {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition _)
                      && assigns(write, "undo_plan")
                  ? new Write.Update(key, changes, Condition.always())
                  : write);
    }
  },

  /** A call that comes again is another one. */
  CALL_NOT_REMEMBERED {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Written write(Write write) {
          boolean remembers =
              write.key().table() == Table.LIMITS && write.key().partition().contains("call#");
          return inner.write(
              remembers && write instanceof Write.Put(Item item, _)
                  ? Write.put(item, Condition.always())
                  : write);
        }
      };
    }
  },

  /** A call of which nobody knows what came is another one when it is made again later. */
  UNKNOWN_CALL_FORGOTTEN {
    @Override
    public Store store(Store store, World world) {
      return bendingReads(store, item -> calling(world) ? asIfKnown(item) : item);
    }

    private boolean calling(World world) {
      return world.scheduler.running().name.startsWith("call ");
    }

    private Item asIfKnown(Item item) {
      String disposal = item.textOrNull("disposal");
      return disposal == null
          ? item
          : with(item, "disposal", disposal.replace("\"unknown\"", "\"failed\""));
    }
  },

  /** A receipt is written before what it says comes true. */
  RECEIPT_WRITTEN_FIRST {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          if (writes.stream().noneMatch(Mutants::disposal)) {
            return inner.transact(writes);
          }
          writes.stream().filter(Mutants::receipt).forEach(inner::write);
          return inner.transact(without(writes, Mutants::receipt));
        }
      };
    }
  },

  /** The idempotency key is claimed only when the call is over. */
  KEY_CLAIMED_AFTER_THE_CALL {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          if (writes.stream().anyMatch(Mutants::intent)) {
            world.scheduler.running().owed = writes;
            return new Transacted.Done();
          }
          return inner.transact(writes);
        }
      };
    }

    @Override
    public ToolCaller toolCaller(ToolCaller toolCaller, World world) {
      return call -> {
        CallResult result = toolCaller.call(call);
        world.inner.transact(world.scheduler.running().owed);
        return result;
      };
    }
  },

  /** The last invocation to come disposes of the action. */
  DISPOSITION_WITHOUT_CONDITION {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition _)
                      && disposal(write)
                  ? new Write.Update(key, changes, Condition.always())
                  : write);
    }
  },

  /** A call of which nobody knows what came is made again, whatever the tool. */
  RETRY_AFTER_UNKNOWN {
    @Override
    public ToolCaller toolCaller(ToolCaller toolCaller, World world) {
      return call -> {
        CallResult result = toolCaller.call(call);
        return result instanceof CallResult.Unknown ? toolCaller.call(call) : result;
      };
    }
  },

  /** An action is called without a look at those before it. */
  PREDECESSOR_NOT_CHECKED {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public List<Item> getAll(List<Key> keys) {
          List<Item> items = inner.getAll(keys);
          Scheduler.Invocation process = world.scheduler.running();
          boolean looksAhead = process.name.startsWith("execute") && !process.wrote;
          return looksAhead ? items.stream().map(Mutants::asIfSettled).toList() : items;
        }

        @Override
        public Transacted transact(List<Write> writes) {
          world.scheduler.running().wrote = true;
          return inner.transact(writes);
        }
      };
    }

    @Override
    public Dispatcher dispatcher(Dispatcher dispatcher, World world) {
      return new Dispatcher() {
        @Override
        public void dispatch(Dispatch dispatch, long number) {
          dispatcher.dispatch(dispatch, number);
          Partition partition = dispatch.partition();
          new Actions(world.inner)
              .find(partition, dispatch.action())
              .flatMap(
                  sent ->
                      world.inner.everything().stream()
                          .filter(item -> "action".equals(item.textOrNull("kind")))
                          .map(item -> new ActionId(item.text("id")))
                          .flatMap(id -> new Actions(world.inner).find(partition, id).stream())
                          .filter(other -> follows(other, sent))
                          .findFirst())
              .map(Dispatch::of)
              .ifPresent(next -> dispatcher.dispatch(inALineOfItsOwn(next), number));
        }

        @Override
        public void dispatchLater(Dispatch dispatch, Duration pause) {
          dispatcher.dispatchLater(dispatch, pause);
        }

        @Override
        public void wake(Partition partition, PlanId plan, Duration pause) {
          dispatcher.wake(partition, plan, pause);
        }
      };
    }

    private Dispatch inALineOfItsOwn(Dispatch next) {
      return new Dispatch(
          next.partition(),
          next.action(),
          next.plan(),
          next.operator(),
          next.connector(),
          next.line() + "!");
    }

    private boolean follows(Action other, Action sent) {
      return !other.settled()
          && other.terms().planId().equals(sent.terms().planId())
          && other.terms().entityKey().equals(sent.terms().entityKey())
          && other.terms().position() > sent.terms().position();
    }
  },

  /** What was reserved for an action that did not apply is kept. */
  ALLOWANCE_NOT_RELEASED {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          return inner.transact(without(writes, one -> counts(one, "usage#", -1)));
        }
      };
    }
  },

  /** What an approval leaves out gets no receipt. */
  SKIPPED_RECEIPTS_LOST {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          return inner.transact(
              writes.stream().anyMatch(write -> assigns(write, "closing"))
                  ? without(writes, Mutants::receipt)
                  : writes);
        }
      };
    }
  },

  /** An executor calls however little time its invocation has left. */
  TIME_LEFT_IGNORED {
    @Override
    public boolean concerns(World world, Scenario scenario) {
      return world.slow > 0;
    }

    @Override
    public Instant until(Instant end) {
      return end.plus(KernelTimes.EXECUTOR_TIMEOUT);
    }
  },

  /** A call that may be under way is taken for interrupted. */
  LEASE_IGNORED {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Put(Item item, Condition condition) && intent(write)
                  ? new Write.Put(with(item, "lease_until", BigDecimal.ONE), condition)
                  : write);
    }
  },

  /** The digest that was approved is not held against what is stored. */
  DIGEST_NOT_CHECKED {
    @Override
    public Store store(Store store, World world) {
      return bendingReads(store, item -> approvingAsIs(item, world));
    }

    private Item approvingAsIs(Item plan, World world) {
      if (!plan.has("claim")) {
        return plan;
      }
      return approving(plan, world, action -> action);
    }
  },

  /** A limit counts, and refuses nobody. */
  LIMIT_NOT_ENFORCED {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition.And(var all))
                      && counts(write, "limit#", 1)
                  ? new Write.Update(
                      key,
                      changes,
                      new Condition.And(
                          all.stream().filter(one -> !(one instanceof Condition.AtMost)).toList()))
                  : write);
    }
  },

  /** A window never closes. */
  WINDOW_NEVER_CLOSES {
    @Override
    public boolean concerns(World world, Scenario scenario) {
      return scenario.windowed != null;
    }

    @Override
    public Store store(Store store, World world) {
      return bendingReads(
          store,
          item ->
              item.has("guardrails")
                  ? with(
                      item,
                      "guardrails",
                      item.text("guardrails")
                          .replaceAll("\"until\":\"[^\"]*\"", "\"until\":\"9999-01-01T00:00:00Z\""))
                  : item);
    }
  },

  /** The tool that was judged is not held against the one that the connector has now. */
  TOOL_NOT_CHECKED {
    @Override
    public Store store(Store store, World world) {
      return bendingReads(store, item -> judgedAsIs(item, world));
    }

    private Item judgedAsIs(Item item, World world) {
      if (item.has("claim")) {
        return approving(item, world, action -> judgedAsIs(action, world));
      }
      if (!"action".equals(item.textOrNull("kind"))) {
        return item;
      }
      Action action = Actions.read(item);
      var terms = (ObjectNode) Json.read(item.text("doc"));
      terms.put("tool_digest", digestNow(action, world).orElse(action.terms().toolDigest()));
      Action bent = Actions.read(with(item, "doc", Json.write(terms)));
      terms.put("digest", bent.computeDigest());
      return with(item, "doc", Json.write(terms));
    }

    private Optional<String> digestNow(Action action, World world) {
      return world
          .connectors
          .find(action.partition(), action.terms().connector())
          .flatMap(
              connector ->
                  connector
                      .tool(action.terms().tool())
                      .map(tool -> ToolDigest.of(connector, tool)));
    }
  },

  /** An idempotency key stands for whatever it is seen with. */
  KEY_NOT_BOUND {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          Transacted result = inner.transact(writes);
          return result instanceof Transacted.Refused(List<Store.Refusal> refusals)
                  && writes.getFirst() instanceof Write.Put(Item wanted, Condition _)
                  && wanted.has("effect")
              ? new Transacted.Refused(
                  refusals.stream().map(one -> seenAs(wanted.text("effect"), one)).toList())
              : result;
        }
      };
    }

    private Store.Refusal seenAs(String effect, Store.Refusal refusal) {
      return new Store.Refusal(
          refusal.position(),
          refusal.found().map(item -> item.has("effect") ? with(item, "effect", effect) : item));
    }
  },

  /** A status 500 is taken for a word that nothing happened. */
  SERVER_ERROR_TAKEN_FOR_FAILED {
    @Override
    public ToolCaller toolCaller(ToolCaller toolCaller, World world) {
      return call -> {
        CallResult result = toolCaller.call(call);
        return result instanceof CallResult.Unknown(String why, boolean answered) && answered
            ? new CallResult.Failed(why)
            : result;
      };
    }
  },

  /** A source system is taken to know an idempotency key for ever. */
  KEY_NEVER_FORGOTTEN {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          Transacted result = inner.transact(writes);
          return result instanceof Transacted.Refused(List<Store.Refusal> refusals)
              ? new Transacted.Refused(refusals.stream().map(this::asIfJustCalled).toList())
              : result;
        }

        @Override
        public Written write(Write write) {
          Written result = inner.write(write);
          return result instanceof Written.Refused(Optional<Item> found)
              ? new Written.Refused(found.map(this::asIfJustCalled))
              : result;
        }

        private Store.Refusal asIfJustCalled(Store.Refusal refusal) {
          return new Store.Refusal(refusal.position(), refusal.found().map(this::asIfJustCalled));
        }

        private Item asIfJustCalled(Item item) {
          BigDecimal now = BigDecimal.valueOf(world.scheduler.millis());
          return item.has("called_at") ? with(item, "called_at", now) : item;
        }
      };
    }
  },

  /** The next call on an entity does not wait for one that may still be at work. */
  SETTLING_IGNORED {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition condition)
                      && assigns(write, "settles_at")
                  ? Write.update(
                      key,
                      condition,
                      changes.stream()
                          .map(
                              change ->
                                  change.name().equals("settles_at")
                                      ? Change.set("settles_at", 1)
                                      : change)
                          .toList())
                  : write);
    }
  },

  /** An approval that meets a lock leaves no mark on it. */
  LOCK_NOT_KEPT {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Update(Key key, List<Change> changes, Condition condition)
                      && assigns(write, "asked_until")
                  ? Write.update(
                      key,
                      condition,
                      changes.stream()
                          .filter(change -> !change.name().equals("asked_until"))
                          .toList())
                  : write);
    }
  },

  /** An approval that meets one lock leaves no mark where nobody has the others that it needs. */
  FREE_LOCKS_NOT_KEPT {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Put(Item item, Condition condition) && item.has("asked_until")
                  ? Write.put(without(item, "asked_until"), condition)
                  : write);
    }
  },

  /** What is reserved for an action is given back when nobody knows what came of it. */
  UNKNOWN_GIVEN_BACK {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          Transacted result = inner.transact(writes);
          if (result.done() && writes.stream().anyMatch(this::unknown)) {
            world.inner.everything().stream()
                .filter(item -> item.key().partition().contains("usage#"))
                .filter(item -> item.whole("n", 0) > item.whole("applied", 0))
                .forEach(
                    item ->
                        inner.write(
                            Write.update(
                                item.key(),
                                Condition.present(),
                                Change.set("n", item.whole("applied", 0)))));
          }
          return result;
        }

        private boolean unknown(Write write) {
          return write instanceof Write.Update(Key _, List<Change> changes, Condition _)
              && changes.stream()
                  .anyMatch(change -> change.toString().contains("\"outcome\":\"unknown\""));
        }
      };
    }
  },

  /** Who approves is not held against who proposed. */
  APPROVED_BY_ITS_PROPOSER {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Optional<Item> get(Key key) {
          return inner.get(key).map(this::proposedByAnother);
        }

        private Item proposedByAnother(Item plan) {
          String key = world.tenancy.caller.principal().id();
          return "plan".equals(plan.textOrNull("kind"))
              ? with(plan, "doc", plan.text("doc").replace(key, "key_00000000000000000000000000"))
              : plan;
        }
      };
    }
  },

  /** An intent under which nothing was called is left to run out. */
  INTENT_NOT_TAKEN_BACK {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          return writes.getFirst() instanceof Write.Update(Key _, List<Change> changes, Condition _)
                  && changes.contains(Change.set("state", "PACED"))
              ? new Transacted.Done()
              : inner.transact(writes);
        }
      };
    }
  },

  /** Who has stated an intent does not look whether the action had been settled before. */
  SETTLED_NOT_LOOKED_AT {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public List<Item> getAll(List<Key> keys) {
          List<Item> items = inner.getAll(keys);
          boolean permit = keys.size() == 2 && keys.getFirst().partition().endsWith("#halts");
          return permit ? items.stream().map(this::unsettled).toList() : items;
        }

        private Item unsettled(Item item) {
          Map<String, Object> attributes = new LinkedHashMap<>(item.attributes());
          attributes.keySet().removeAll(List.of("disposal", "closing"));
          return new Item(item.key(), attributes);
        }
      };
    }
  },

  /** What an action that did not apply has taken of a limit is kept. */
  LIMIT_NOT_GIVEN_BACK {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          return inner.transact(without(writes, one -> counts(one, "limit#", -1)));
        }
      };
    }
  },

  /** Who looks at all items of a tally does not hold them to what they were. */
  SNAPSHOT_NOT_HELD {
    @Override
    public Store store(Store store, World world) {
      return bendingWrites(
          store,
          write ->
              write instanceof Write.Put(Item item, Condition _)
                      && item.has("spread")
                      && item.key().partition().contains("usage#")
                  ? new Write.Put(item, Condition.always())
                  : write);
    }
  },

  /** A result is put only when the disposal that names it is written. */
  RESULT_PUT_AFTER_THE_DISPOSAL {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Written write(Write write) {
          if (write.key().table() == Table.RESULTS) {
            world.scheduler.running().owed = List.of(write);
            return pretended();
          }
          return inner.write(write);
        }

        @Override
        public Transacted transact(List<Write> writes) {
          Transacted done = inner.transact(writes);
          if (writes.stream().anyMatch(Mutants::disposal)) {
            world.scheduler.running().owed.forEach(inner::write);
          }
          return done;
        }
      };
    }
  },

  /** A result is found by its action alone, so that of two the later is there. */
  RESULT_OVERWRITTEN {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Optional<Item> get(Key key) {
          return inner.get(ofItsAction(key));
        }

        @Override
        public Written write(Write write) {
          return inner.write(
              write instanceof Write.Put(Item item, Condition _)
                      && item.key().table() == Table.RESULTS
                  ? Write.put(
                      new Item(ofItsAction(item.key()), item.attributes()), Condition.always())
                  : write);
        }

        private Key ofItsAction(Key key) {
          return key.table() == Table.RESULTS ? Key.single(Table.RESULTS, key.partition()) : key;
        }
      };
    }
  },

  /** A transaction that met another is taken for done. */
  CONTENTION_TAKEN_FOR_DONE {
    @Override
    public Store store(Store store, World world) {
      return new BendingStore(store) {
        @Override
        public Transacted transact(List<Write> writes) {
          Transacted result = inner.transact(writes);
          return result instanceof Transacted.Contended ? new Transacted.Done() : result;
        }
      };
    }
  };

  private static Store bendingReads(Store store, UnaryOperator<Item> bend) {
    return new BendingStore(store) {
      @Override
      public Optional<Item> get(Key key) {
        return inner.get(key).map(bend);
      }

      @Override
      public List<Item> getAll(List<Key> keys) {
        return inner.getAll(keys).stream().map(bend).toList();
      }
    };
  }

  /** A claimed plan that approves each of its actions as it is, once it is bent. */
  private static Item approving(Item plan, World world, UnaryOperator<Item> bend) {
    var claim = (ObjectNode) Json.read(plan.text("claim"));
    var digests = (ObjectNode) claim.get("digests");
    List<String> ids = new ArrayList<>();
    digests.fieldNames().forEachRemaining(ids::add);
    for (String id : ids) {
      world
          .inner
          .get(Actions.key(world.tenancy.partition, new ActionId(id)))
          .map(action -> Actions.read(bend.apply(action)))
          .ifPresent(action -> digests.put(id, action.computeDigest()));
    }
    return with(plan, "claim", Json.write(claim));
  }

  private static Store bendingWrites(Store store, UnaryOperator<Write> bend) {
    return new BendingStore(store) {
      @Override
      public Written write(Write write) {
        return inner.write(bend.apply(write));
      }

      @Override
      public Transacted transact(List<Write> writes) {
        return inner.transact(writes.stream().map(bend).toList());
      }
    };
  }

  private static Item without(Item item, String attribute) {
    Map<String, Object> attributes = new HashMap<>(item.attributes());
    attributes.remove(attribute);
    return new Item(item.key(), attributes);
  }

  private static List<Write> without(List<Write> writes, Predicate<Write> which) {
    return writes.stream().filter(which.negate()).toList();
  }

  /** A store in which the write that ends an amended plan is another one, or none. */
  private static Store bendingAmendments(Store store, Function<Write, Optional<Write>> bent) {
    return new BendingStore(store) {
      @Override
      public Transacted transact(List<Write> writes) {
        boolean amends =
            writes.stream().anyMatch(Mutants::ends)
                && writes.stream()
                    .anyMatch(
                        write ->
                            write instanceof Write.Put(Item item, Condition _)
                                && "plan".equals(item.textOrNull("kind")));
        return inner.transact(
            writes.stream()
                .flatMap(
                    write -> amends && ends(write) ? bent.apply(write).stream() : Stream.of(write))
                .toList());
      }
    };
  }

  /** A store in which a transaction with a vote in it has other writes. */
  private static Store bendingVotes(Store store, UnaryOperator<Write> bend) {
    return new BendingStore(store) {
      @Override
      public Transacted transact(List<Write> writes) {
        return inner.transact(
            writes.stream().anyMatch(Mutants::vote) ? writes.stream().map(bend).toList() : writes);
      }
    };
  }

  /** A store in which the votes on a plan read otherwise. */
  private static Store bendingVotesRead(Store store, Function<Item, Stream<Item>> bent) {
    return new BendingStore(store) {
      @Override
      public Slice query(Query query) {
        Slice slice = inner.query(query);
        return query.partition().contains("vote#")
            ? new Slice(slice.items().stream().flatMap(bent).toList(), slice.more())
            : slice;
      }
    };
  }

  private static boolean vote(Write write) {
    return write instanceof Write.Put(Item item, Condition _)
        && "vote".equals(item.textOrNull("kind"));
  }

  private static boolean ofVote(Write write) {
    return vote(write)
        || (write instanceof Write.Put(Item item, Condition _)
            && "receipt".equals(item.textOrNull("kind")));
  }

  private static boolean ends(Write write) {
    return write instanceof Write.Update(Key _, List<Change> changes, Condition _)
        && changes.stream().anyMatch(change -> change.name().equals("ending"));
  }

  private static boolean receipt(Write write) {
    return write.key().table() == Table.RECEIPTS;
  }

  private static boolean disposal(Write write) {
    return assigns(write, "disposal");
  }

  private static boolean intent(Write write) {
    return write instanceof Write.Put(Item item, Condition _)
        && "INTENT".equals(item.textOrNull("state"));
  }

  /** Whether a write adds so many actions to a tally whose name has this in it. */
  private static boolean counts(Write write, String tally, long actions) {
    return write instanceof Write.Update(Key key, List<Change> changes, Condition _)
        && key.partition().contains(tally)
        && changes.contains(Change.add("n", actions));
  }

  private static boolean assigns(Write write, String name) {
    return write instanceof Write.Update(Key _, List<Change> changes, Condition _)
        && changes.stream()
            .anyMatch(change -> change instanceof Change.Assign && change.name().equals(name));
  }

  private static Item asIfSettled(Item action) {
    String closing = "{\"outcome\":\"skipped\",\"receipt_id\":\"rc_00000000000000000000000000\"}";
    return with(action, "closing", closing);
  }

  private static Item with(Item item, String name, Object value) {
    Map<String, Object> attributes = new LinkedHashMap<>(item.attributes());
    attributes.put(name, value);
    return new Item(item.key(), attributes);
  }
}
