/* Signing in: at an identity provider, with a passkey, or by an address with a ticket, which main.js redeems after a question. */
import { html, nothing } from 'lit';
import { signInAddress } from './api.js';
import { icon, principal, refusal, reveal, View } from './words.js';

class SignIn extends View {
  static properties = { refused: { attribute: false }, ended: { attribute: false } };

  async enter() {
    this.put({ busy: true, refused: null });
    try {
      const { signInByPasskey } = await import('./passkeys.js');
      if (await signInByPasskey()) location.reload();
    } catch (e) {
      if (e.status === undefined) throw e;
      // Here 401 is an answer too: nobody is signed in yet, and this passkey cannot sign in.
      this.put({ refused: e });
    } finally {
      this.put({ busy: false });
    }
  }

  render() {
    const provider = signInAddress();
    return html`<main class="sign-in">
      <div class="card">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M9 16.5l5 5 9-11" /></svg>
        <h1>Action Governance</h1>
        <p class="muted">Decide on the actions that agents propose, and see what was done.</p>
        ${refusal(this.refused)} ${this.refused ? nothing : ended(this.ended)}
        <h2>Sign in</h2>
        ${provider ? html`<a class="button primary" href=${provider}>Sign in with your organisation</a>` : nothing}
        <button type="button" class=${provider ? '' : 'primary'} ?disabled=${this.busy} @click=${() => this.enter()}>Sign in with a passkey</button>
        <div class="or small muted">
          <p>Or open the address that <code>localstack/up</code> or this command prints. Each address works once, within a day.</p>
          <pre tabindex="0" aria-label="Command">gov console</pre>
        </div>
      </div>
    </main>`;
  }
}

/** A note for a user whose session has ended: the reason, and the page that they return to. */
const ended = (how) =>
  how
    ? html`<div class="note warn" role="alert">
        ${icon('hand')}
        <div>
          <p>${how.details?.reason ? reveal(how.message) : 'This browser is no longer signed in. Sign in again.'}</p>
          ${location.hash ? html`<p class="small">You return to the page that you were on. This browser has decided nothing there in the meantime.</p>` : nothing}
        </div>
      </div>`
    : nothing;

/** Milliseconds for which a question cannot be answered yet, so that no click meant for another page answers it. */
const SETTLE = 1_000;

/** Asks before signing in with a ticket. Shows its principal and the session that would end here. */
class TicketQuestion extends View {
  static properties = { offer: { attribute: false }, now: { attribute: false } };

  willUpdate(changed) {
    if (!changed.has('offer')) return;
    this.ready = false;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.put({ ready: true }), SETTLE);
  }

  render() {
    const { offer, now } = this;
    const enrolling = offer.method === 'enrolment';
    const facts = [
      ['Tenant', html`${reveal(offer.tenant_name)} <span class="id muted">${offer.tenant_id}</span>`],
      ['Mode', html`<b class="mode ${offer.mode}">${offer.mode}</b>`],
      ['Workspace', offer.workspace_id && reveal(offer.workspace_id)],
      ['Signs you in as', principal(offer.principal)],
      ['Purpose', enrolling && 'create the first passkey of this person'],
      ['Created by', html`${principal(offer.created_by)} <span class="id muted">${offer.created_by.id}</span>`],
    ];
    return html`<main class="sign-in">
      <div class="card">
        <h1>Sign in with this address?</h1>
        ${now
          ? html`<div class="note warn" role="alert">
              ${icon('hand')}
              <p>You are signed in as ${principal(now.principal)} in ${reveal(now.tenant_name)}, ${now.mode}. Signing in ends that session in this browser.</p>
            </div>`
          : nothing}
        <dl class="offer">
          ${facts.map(([said, fact]) => (fact ? html`<div><dt class="small muted">${said}</dt><dd>${fact}</dd></div>` : nothing))}
        </dl>
        <p class="small">Continue only if you expected this address. Anybody can send you one that belongs to another tenant.</p>
        <div class="row">
          <button type="button" class="primary" ?disabled=${!this.ready} @click=${this.yes}>Sign in</button>
          <button type="button" ?disabled=${!this.ready} @click=${this.no}>${now ? 'Stay signed in' : 'Not now'}</button>
        </div>
      </div>
    </main>`;
  }
}

customElements.define('gov-sign-in', SignIn);
customElements.define('gov-ticket', TicketQuestion);
