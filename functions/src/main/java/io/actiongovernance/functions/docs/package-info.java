/**
 * The published contract: the OpenAPI document, the page that shows it, the page of error codes.
 */
@NullMarked
package io.actiongovernance.functions.docs;

import org.jspecify.annotations.NullMarked;
