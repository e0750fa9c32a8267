/* Passkeys: made, and signing. What is signed is what the service says in its own words, and nothing of this page's. */
import { html, nothing } from 'lit';
import { keptPlace, passkeyAddress, send, who } from './api.js';
import { refusal, reveal, View } from './words.js';

/** What somebody calls off, or has no passkey for, is no failure: null. */
async function asked(ask) {
  try {
    return await ask();
  } catch (e) {
    if (e.name === 'NotAllowedError') return null;
    throw e;
  }
}

/** What a passkey signs for a challenge. */
export async function signed({ challenge_id, public_key }) {
  const credential = await asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key) }),
  );
  return credential && { challenge_id, assertion: credential.toJSON() };
}

/** Signs in by whichever passkey is picked; whether anybody was. */
export async function signInByPasskey() {
  const signature = await signed(await send('POST', '/v1/sign_in/passkey/challenges'));
  if (signature) await send('POST', '/v1/sign_in/passkey', signature);
  return signature !== null;
}

async function enrol(name) {
  const { challenge_id, public_key } = await send('POST', '/v1/passkeys/challenges');
  const credential = await asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key) }),
  );
  if (!credential) return false;
  await send('POST', '/v1/passkeys', { challenge_id, name, attestation: credential.toJSON() });
  return true;
}

/** Whoever has a ticket for their first passkey can make it, and nothing else. */
class Enrol extends View {
  async make() {
    this.put({ busy: true, refused: null });
    await this.trying(async () => {
      if (await enrol(this.querySelector('input').value.trim() || 'passkey')) this.put({ made: true });
    });
    this.put({ busy: false });
  }

  async enter() {
    this.put({ busy: true, refused: null });
    await this.trying(async () => {
      if (await signInByPasskey()) location.reload();
    });
    this.put({ busy: false });
  }

  /** Who is signed in already goes back to where they came from. */
  leave() {
    history.replaceState(null, '', location.pathname + location.search + (keptPlace() ?? ''));
    location.reload();
  }

  render() {
    const again = passkeyAddress();
    return html`<main class="sign-in">
      <div class="card">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M9 16.5l5 5 9-11" /></svg>
        <h1>Welcome, ${reveal(who()?.principal.name ?? '')}</h1>
        ${refusal(this.refused)}
        ${this.refused && again
          ? html`<p class="small"><a href=${again}>Show once more who you are</a>, and make it within five minutes.</p>`
          : nothing}
        ${this.made
          ? again
            ? html`<p>Your passkey is enrolled. You sign with it what you approve.</p>
                <button type="button" class="primary" @click=${() => this.leave()}>Go on</button>`
            : html`<p>Your passkey is enrolled. Sign in with it now, and from now on.</p>
                <button type="button" class="primary" ?disabled=${this.busy} @click=${() => this.enter()}>Sign in</button>`
          : html`<p>Make a passkey. You sign in with it, and sign what you approve. It stays on your device.</p>
              <div><label for="called">What to call it</label><input id="called" maxlength="100" value="This device" autocomplete="off" /></div>
              <button type="button" class="primary" ?disabled=${this.busy} @click=${() => this.make()}>Make a passkey</button>`}
        ${this.busy ? html`<p class="small muted" role="status">Your browser asks you …</p>` : nothing}
      </div>
    </main>`;
  }
}

customElements.define('gov-enrol', Enrol);
