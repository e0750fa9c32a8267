/**
 * What a function goes through before its process is kept as a snapshot: a day of a tenant that
 * there is none of, in memory.
 */
@NullMarked
package io.actiongovernance.functions.rehearsal;

import org.jspecify.annotations.NullMarked;
