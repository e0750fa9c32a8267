/**
 * The published contract: the OpenAPI document, a page that shows it, and pages of error codes and
 * changes.
 */
@NullMarked
package io.actiongovernance.functions.docs;

import org.jspecify.annotations.NullMarked;
