/**
 * Descriptions on the records of requests and responses. The same descriptions serve to read
 * requests and to make the published document and its samples.
 */
@NullMarked
package io.actiongovernance.functions.contract;

import org.jspecify.annotations.NullMarked;
