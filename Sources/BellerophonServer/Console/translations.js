// MARK: Messages in several languages

const languageLimit = 16;
const languageTag = /^[A-Za-z0-9-]{1,35}$/;

// Controls for the message in other languages: a language tag and a text for each. `rows` is what was typed before. `typed` gives
// all that is typed, to be shown again; `messages` gives the texts by tag, or throws a FormProblem and marks the control.
function translations(rows = []) {
  const list = element('div', { class: 'translations' });
  const news = element('p', { class: 'unseen', role: 'status' });
  const made = [];
  const add = button('Add a language', () => {
    if (made.length >= languageLimit) return setText(news, `At most ${languageLimit} languages are possible.`);
    insert({ tag: '', text: '' }).tag.focus();
    setText(news, `Language ${made.length} added.`);
  }, { class: 'small' });

  function insert(values) {
    const tag = textInput(values.tag, { autocapitalize: 'none', spellcheck: 'false', maxlength: '35' });
    const text = element('textarea', { rows: '2', autocomplete: 'off' }, values.text);
    const remove = button('Remove', () => removeRow(row), { class: 'small' });
    const row = { tag, text, item: element('div', { role: 'group' },
      field('Language', tag, 'A tag such as de or pt-BR.'), field('Message', text), remove) };
    const name = () => {
      const words = tag.value.trim() || 'no language yet';
      row.item.setAttribute('aria-label', `Message in another language: ${words}`);
      remove.setAttribute('aria-label', `Remove the message: ${words}`);
    };
    tag.addEventListener('input', name);
    for (const control of [tag, text]) control.addEventListener('input', () => control.removeAttribute('aria-invalid'));
    name();
    made.push(row);
    list.append(row.item);
    return row;
  }

  function removeRow(row) {
    const index = made.indexOf(row);
    made.splice(index, 1);
    row.item.remove();
    setText(news, `Message removed: ${row.tag.value.trim() || 'no language yet'}.`);
    // The focus goes to what is now in its place, and stays in the form.
    (made[index]?.tag ?? made[index - 1]?.tag ?? add).focus();
  }

  function refuse(control, message) {
    mark(control);
    throw new FormProblem(message);
  }

  rows.forEach(insert);
  return {
    node: element('fieldset', {}, element('legend', {}, 'Message in other languages'),
      element('p', { class: 'hint' }, 'People with any other language, and older clients, read the message above.'),
      list, add, news),
    typed: () => made.map(({ tag, text }) => ({ tag: tag.value, text: text.value })),
    messages: () => {
      const found = {};
      for (const { tag, text } of made) {
        const [name, words] = [tag.value.trim(), text.value.trim()];
        if (name === '' && words === '') continue;
        if (name === '') refuse(tag, 'A message has no language. Write a tag such as de, or remove the message.');
        if (!languageTag.test(name)) refuse(tag, `“${name}” is no language tag. Write one such as de or pt-BR.`);
        if (words === '') refuse(text, `The message in ${name} has no text. Write it, or remove the language.`);
        if (Object.keys(found).some((other) => other.toLowerCase() === name.toLowerCase())) {
          refuse(tag, `The language ${name} is there twice. Remove one of them.`);
        }
        found[name] = words;
      }
      return found;
    },
  };
}

// The member of a request; nothing without a message.
const messagesOf = (found) => (Object.keys(found).length > 0 ? { messages: found } : {});

// Marks the control with a wrong value, and gives it the focus. The problem itself is an alert, which is read out.
function mark(control) {
  control.setAttribute('aria-invalid', 'true');
  control.focus();
}

// Marks the text that an error of the server names, such as "messages.de has no text".
function markNamed(message) {
  const tag = /\bmessages\.([A-Za-z0-9-]+)/.exec(message ?? '')?.[1];
  if (!tag) return;
  for (const item of dialog.querySelectorAll('.translations > div')) {
    if (item.querySelector('input').value.trim() === tag) return mark(item.querySelector('textarea'));
  }
}
