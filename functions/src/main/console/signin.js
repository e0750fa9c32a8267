/* Signing in: by the issuer of the organisation, by passkey, or by an address that holds a ticket. */
import { html, nothing } from 'lit';
import { address, send } from './api.js';
import { icon, refusal, View } from './words.js';

class SignIn extends View {
  static properties = { refused: { attribute: false } };

  issuer() {
    const asked = new URLSearchParams(location.search).get('idp') ?? remembered();
    return /^idp_[0-9a-z]{26}$/.test(asked ?? '') ? asked : null;
  }

  async passkey() {
    await this.trying(async () => {
      const { challenge_id, public_key } = await send('POST', '/v1/sign_in/passkey/challenges');
      const options = PublicKeyCredential.parseRequestOptionsFromJSON(public_key);
      let credential;
      try {
        credential = await navigator.credentials.get({ publicKey: options });
      } catch (e) {
        // Called off by who was asked.
        if (e.name === 'NotAllowedError') return;
        throw e;
      }
      await send('POST', '/v1/sign_in/passkey', { challenge_id, assertion: credential.toJSON() });
      this.dispatchEvent(new Event('in'));
    });
  }

  render() {
    const issuer = this.issuer();
    const to = encodeURIComponent(location.pathname + location.search + location.hash);
    return html`<main class="sign-in">
      <div class="card">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M9 16.5l5 5 9-11" /></svg>
        <h1>Action Governance</h1>
        <p class="muted">What agents ask to do, and what was done.</p>
        ${refusal(this.refused)}
        ${issuer
          ? html`<a class="button big primary" href=${address(`/v1/sign_in/${issuer}?to=${to}`)}>Sign in with your organisation</a>`
          : nothing}
        ${window.PublicKeyCredential?.parseRequestOptionsFromJSON
          ? html`<button type="button" class="big" @click=${() => this.passkey()}>${icon('key')} Sign in with a passkey</button>`
          : nothing}
        <h2>The first time</h2>
        <p class="small">
          Open the address that <code>localstack/up</code> prints, or that this one answers with. Each works once, within a
          day.
        </p>
        <pre tabindex="0" aria-label="Command">gov console</pre>
      </div>
    </main>`;
  }
}

function remembered() {
  try {
    return localStorage.getItem('idp');
  } catch {
    return null;
  }
}

customElements.define('gov-sign-in', SignIn);
