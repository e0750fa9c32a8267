/** The document tables: conditional writes, transactions, ordered reads. */
@NullMarked
package io.actiongovernance.store;

import org.jspecify.annotations.NullMarked;
