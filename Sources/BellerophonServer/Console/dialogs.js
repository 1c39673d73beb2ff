// MARK: Dialogs

const dialog = byId('dialog');
let onDismiss = null;

// Shows a step of a form. `dismiss` is what Escape does; closing is the default.
function openDialog(title, content, { focus, dismiss } = {}) {
  onDismiss = dismiss ?? closeDialog;
  dialog.replaceChildren(element('h2', { id: 'dialog-title' }, title), ...content.flat(Infinity).filter(Boolean));
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  (focus ?? dialog.querySelector('input, textarea, select, button'))?.focus();
}

// The focus returns to the button that opened the dialog.
function closeDialog() {
  if (dialog.open) dialog.close();
  forgetDialog();
}

function forgetDialog() {
  onDismiss = null;
  dialog.removeAttribute('aria-busy');
  dialog.replaceChildren();
}

dialog.addEventListener('cancel', (event) => {
  event.preventDefault();
  if (dialog.getAttribute('aria-busy') !== 'true') onDismiss?.();
});

// Browsers let a person close a dialog that does not want to.
dialog.addEventListener('close', forgetDialog);

dialog.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  dialog.querySelector('form')?.requestSubmit();
});

let fieldCount = 0;

// A label, a control and a hint.
function field(label, control, hint) {
  const id = `field-${fieldCount += 1}`;
  control.id = id;
  const parts = [element('label', { for: id }, label), control];
  if (hint) {
    control.setAttribute('aria-describedby', `${id}-hint`);
    parts.push(element('p', { class: 'hint', id: `${id}-hint` }, hint));
  }
  return element('div', { class: 'field' }, parts);
}

const textInput = (value, attributes) =>
  element('input', { type: 'text', autocomplete: 'off', value: value ?? '', ...attributes });

function problem(message, hint, ...more) {
  return element('div', { class: 'notice bad', role: 'alert' }, element('strong', {}, sentence(message)),
    hint && element('p', {}, sentence(hint)), more);
}

// Replaces what the dialog says about a problem. If it was closed meanwhile, the page says it.
function tellProblem(...content) {
  const place = dialog.querySelector('.problem');
  if (!place) return byId('toast').replaceChildren(...content, button('Close', clearToast, { class: 'small' }));
  place.replaceChildren(...content);
  place.scrollIntoView({ block: 'nearest' });
}

let focusedBefore = null;

function setBusy(isBusy) {
  if (isBusy) focusedBefore = document.activeElement;
  for (const control of dialog.querySelectorAll('button, input, textarea, select')) control.disabled = isBusy;
  dialog.setAttribute('aria-busy', String(isBusy));
  if (!isBusy && focusedBefore?.isConnected) focusedBefore.focus();
}

function toast(kind, message, hint) {
  byId('toast').replaceChildren(element('div', { class: `notice ${kind}` },
    element('div', {}, element('strong', {}, message), hint && element('p', {}, sentence(hint))),
    button('Close', clearToast, { class: 'small' })));
}

function clearToast() {
  byId('toast').replaceChildren();
}
