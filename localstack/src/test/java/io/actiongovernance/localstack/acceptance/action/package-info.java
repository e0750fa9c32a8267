/** Actions: executed, deduplicated, undone, resolved, and what came of them. */
@NullMarked
package io.actiongovernance.localstack.acceptance.action;

import org.jspecify.annotations.NullMarked;
