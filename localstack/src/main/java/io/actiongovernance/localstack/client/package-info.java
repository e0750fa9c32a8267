/**
 * A client of the service's API, as a program on a user's machine uses it: over HTTP, with one key.
 */
@NullMarked
package io.actiongovernance.localstack.client;

import org.jspecify.annotations.NullMarked;
