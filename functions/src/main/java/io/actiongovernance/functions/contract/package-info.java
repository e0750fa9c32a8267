/**
 * What the records of requests and answers say of themselves, and the one walk over them that reads
 * requests, makes the published document and its samples.
 */
@NullMarked
package io.actiongovernance.functions.contract;

import org.jspecify.annotations.NullMarked;
