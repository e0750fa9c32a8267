/* Passkeys: creating them and signing with them. The service alone sets the challenge that is signed. */
import { html, nothing } from 'lit';
import { keptPlace, passkeyAddress, send, who } from './api.js';
import { refusal, reveal, View } from './words.js';

/* Refusals of a browser, with their remedy. */
const NOT_DONE = {
  InvalidStateError: 'This device already has a passkey of yours.',
  SecurityError: 'Passkeys do not work at this address. Open the console by its host name.',
};

/** Asks the browser. Returns null if the user cancels or has no passkey for it, which is not an error. */
async function asked(ask) {
  try {
    return await ask();
  } catch (e) {
    if (e.name === 'NotAllowedError') return null;
    if (e instanceof DOMException) throw { status: 0, message: NOT_DONE[e.name] ?? `Your browser reports: ${e.message}` };
    throw e;
  }
}

/** Signs a challenge with a passkey. Returns null if none signed. */
export async function signed({ challenge_id, public_key }) {
  const credential = await asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(public_key) }),
  );
  return credential && { challenge_id, assertion: credential.toJSON() };
}

/** Signs in with the passkey that the user picks. Returns whether the user signed in. */
export async function signInByPasskey() {
  const signature = await signed(await send('POST', '/v1/sign_in/passkey/challenges'));
  if (signature) await send('POST', '/v1/sign_in/passkey', signature);
  return signature !== null;
}

/** Creates a passkey and returns whether it was created. In a session of a passkey, an older one signs for the new one. */
async function enrol(name) {
  const { challenge_id, public_key } = await send('POST', '/v1/passkeys/challenges');
  const credential = await asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(public_key) }),
  );
  if (!credential) return false;
  const made = { challenge_id, name, attestation: credential.toJSON() };
  if (who()?.session?.method === 'passkey') {
    const older = await vouched(public_key, made.attestation);
    if (!older) return false;
    made.assertion = older;
  }
  await send('POST', '/v1/passkeys', made);
  return true;
}

/** The signature of an older passkey for a new one; null if none signed. */
async function vouched({ challenge, rp, excludeCredentials }, { response }) {
  const lines = `passkey.enrol.v1\n${challenge}\n${response.attestationObject}`;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lines)));
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        ...PublicKeyCredential.parseRequestOptionsFromJSON({ challenge, rpId: rp.id, allowCredentials: excludeCredentials, userVerification: 'required' }),
        challenge: digest,
      },
    }),
  );
  return credential && credential.toJSON();
}

/** The page that creates a passkey. A session of an enrolment ticket can do only this. */
class Enrol extends View {
  constructor() {
    super();
    // Created before this page was loaded again.
    this.made = who()?.session?.method === 'enrolment' && who().passkeys.length > 0;
  }

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

  /** Returns to the page that a signed-in user came from. */
  leave() {
    history.replaceState(null, '', location.pathname + location.search + (keptPlace() ?? ''));
    location.reload();
  }

  render() {
    const signedIn = who()?.session?.method !== 'enrolment';
    const again = who()?.session?.method === 'issuer' ? passkeyAddress() : null;
    return html`<main class="sign-in">
      <div class="card">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M9 16.5l5 5 9-11" /></svg>
        <h1>Welcome, ${reveal(who()?.principal.name ?? '')}</h1>
        ${refusal(this.refused)}
        ${this.refused && again
          ? html`<p class="small"><a href=${again}>Sign in again</a>, then create the passkey within five minutes.</p>`
          : nothing}
        ${this.made
          ? signedIn
            ? html`<p>Your passkey is enrolled. You sign your approvals with it.</p>
                <button type="button" class="primary" @click=${() => this.leave()}>Continue</button>`
            : html`<p>Your passkey is enrolled. Sign in with it, now and from now on.</p>
                <button type="button" class="primary" ?disabled=${this.busy} @click=${() => this.enter()}>Sign in</button>`
          : html`<p>Create a passkey to sign in and to sign your approvals. It stays on your device or in your passkey manager.</p>
              ${signedIn && who()?.passkeys.length
                ? html`<p class="small muted">The new passkey is for another device or a security key. Your browser asks where to create it${again ? '' : ', and then for one that you already have'}.</p>`
                : nothing}
              <div><label for="called">Passkey name</label><input id="called" maxlength="100" value="This device" autocomplete="off" /></div>
              <button type="button" class="primary" ?disabled=${this.busy} @click=${() => this.make()}>Create a passkey</button>
              ${signedIn ? html`<button type="button" class="quiet" ?disabled=${this.busy} @click=${() => this.leave()}>Not now</button>` : nothing}`}
        ${this.busy ? html`<p class="small muted" role="status">Follow the prompt of your browser …</p>` : nothing}
      </div>
    </main>`;
  }
}

customElements.define('gov-enrol', Enrol);
