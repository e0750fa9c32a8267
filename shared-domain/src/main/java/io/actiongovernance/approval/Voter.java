package io.actiongovernance.approval;

import io.actiongovernance.people.Person;

/**
 * A vote, and the person as they are now: who was suspended since, or left a group, counts as they
 * are.
 */
record Voter(Vote vote, Person person) {}
