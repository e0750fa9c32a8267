/** The published contract: the OpenAPI document, its page, and pages of error codes and changes. */
@NullMarked
package io.actiongovernance.functions.docs;

import org.jspecify.annotations.NullMarked;
