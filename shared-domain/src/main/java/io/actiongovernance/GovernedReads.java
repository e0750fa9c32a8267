package io.actiongovernance;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.RetrieveOnceDisposed;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.RetrieveApproval;
import io.actiongovernance.plan.RetrieveProposal;
import io.actiongovernance.plan.RetrieveResult;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.ReceiptLedger;

/**
 * What people read of the governed loop. It is there by itself so that it can be had over more than
 * the tables ({@link io.actiongovernance.archive.ReadThrough}), which nothing else of the loop may
 * be: who claims, locks or writes goes by what is in the tables alone. Implementations are
 * thread-safe.
 */
public interface GovernedReads {
  ListPlans listPlans();

  RetrieveProposal retrieveProposal();

  RetrieveApproval retrieveApproval();

  /** Plans and actions. */
  RetrieveOnceDisposed retrieveOnceDisposed();

  RetrieveResult retrieveResult();

  /** How the approval of a plan stands. */
  Outcome<PlanApprovals.Standing> approval(Caller caller, PlanId plan);

  ListActions listActions();

  ListReceipts listReceipts();

  /** Single receipts. */
  ReceiptLedger ledger();
}
