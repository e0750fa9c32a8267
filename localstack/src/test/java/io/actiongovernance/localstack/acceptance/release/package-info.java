/** Releases: what one has, and the way from one to the next. */
@NullMarked
package io.actiongovernance.localstack.acceptance.release;

import org.jspecify.annotations.NullMarked;
