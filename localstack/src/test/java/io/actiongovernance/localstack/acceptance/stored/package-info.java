/** Data folders that a build has filled, read and continued by this one. */
@NullMarked
package io.actiongovernance.localstack.acceptance.stored;

import org.jspecify.annotations.NullMarked;
