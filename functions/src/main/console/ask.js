/* Questions before something is done, and what is said after it. */
import { html, nothing, render } from 'lit';
import { icon } from './words.js';

/**
 * Asks, over everything else. Answers with what was filled in, by name, or null.
 *
 * fields: {name, label, kind: 'text' | 'area' | 'choice', options: [[value, label]], needed, value, hint}
 */
export function ask({ title, text, fields = [], yes, danger = false, body = nothing }) {
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise((answer) => {
    const close = (value) => {
      window.removeEventListener('hashchange', left);
      place.remove();
      answer(value);
    };
    // It is about the page that it was asked on.
    const left = () => close(null);
    window.addEventListener('hashchange', left);
    const submit = (e) => {
      e.preventDefault();
      const said = Object.fromEntries(
        [...e.target.elements].filter((field) => field.name).map((field) => [field.name, field.value.trim()]),
      );
      if (fields.every((field) => !field.needed || said[field.name])) close(said);
    };
    render(
      html`<dialog aria-labelledby="asked" @close=${() => close(null)}>
        <form @submit=${submit}>
          <h2 id="asked">${title}</h2>
          ${text ? html`<p>${text}</p>` : nothing} ${body} ${fields.map(field)}
          <div class="row end">
            <button type="button" class="quiet" @click=${() => close(null)}>Cancel</button>
            <button type="submit" class=${danger ? 'danger' : 'primary'}>${yes}</button>
          </div>
        </form>
      </dialog>`,
      place,
    );
    place.firstElementChild.showModal();
    place.querySelector('textarea, select, input')?.focus();
  });
}

function field({ name, label, kind = 'area', options = [], needed, value = '', hint }) {
  const id = `ask-${name}`;
  return html`<label for=${id}>${label}${needed || kind === 'choice' ? nothing : html` <span class="muted">(optional)</span>`}</label>
    ${kind === 'choice'
      ? html`<select id=${id} name=${name}>
          ${options.map(([of, said]) => html`<option value=${of} ?selected=${of === value}>${said}</option>`)}
        </select>`
      : kind === 'text'
        ? html`<input id=${id} name=${name} .value=${value} ?required=${needed} autocomplete="off" />`
        : html`<textarea id=${id} name=${name} rows="3" maxlength="2000" ?required=${needed} .value=${value}></textarea>`}
    ${hint ? html`<p class="small muted hint">${hint}</p>` : nothing}`;
}

/** Says in a corner what was done, and to those who listen. */
export function tell(text, kind = 'ok') {
  const place = document.querySelector('.told');
  if (!place) return;
  const said = document.createElement('div');
  said.className = `note ${kind}`;
  render(html`${icon(kind === 'ok' ? 'check' : 'cross')}<p>${text}</p>`, said);
  place.append(said);
  setTimeout(() => said.remove(), 6000);
}
