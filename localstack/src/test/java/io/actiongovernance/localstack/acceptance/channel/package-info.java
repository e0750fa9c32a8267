/** Channels. */
@NullMarked
package io.actiongovernance.localstack.acceptance.channel;

import org.jspecify.annotations.NullMarked;
