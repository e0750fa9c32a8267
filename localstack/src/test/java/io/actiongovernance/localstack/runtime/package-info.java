/**
 * The functions as they are deployed: out of the zip, each in a process of its own, under the
 * runtime interface client that the managed runtime runs, or our own runtime where that streams.
 */
@NullMarked
package io.actiongovernance.localstack.runtime;

import org.jspecify.annotations.NullMarked;
