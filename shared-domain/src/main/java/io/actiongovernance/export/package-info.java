/** Exports of the receipt ledger: jobs, their files, and the work. */
@NullMarked
package io.actiongovernance.export;

import org.jspecify.annotations.NullMarked;
