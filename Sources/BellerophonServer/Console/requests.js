// MARK: Requests

// The token, and a number that changes when it is forgotten. Nothing else keeps the token.
let token = null;
let session = 0;
const pending = new Set();
// Replies that this page got, to tell its own requests from those of others.
let ownReplies = 0;

// The types of problems that the page handles by themselves.
const problemTypes = {
  needsApproval: 'urn:bellerophon:problem:needs-approval',
  overtaken: 'urn:bellerophon:problem:overtaken',
  standing: 'urn:bellerophon:problem:standing',
};

// `kind` is "refused" with a reply, "lost" without one, and "locked" after the token was forgotten.
class Failure extends Error {
  constructor(kind, message, hint, status, type) {
    super(message);
    Object.assign(this, { kind, hint, status, type });
  }

  // Whether a change may have been carried out in spite of it. A server that is busy or full has refused it.
  get isOutcomeUnknown() { return this.kind === 'lost' || [500, 502, 504].includes(this.status); }
}

function address(path, query) {
  const url = new URL(path, document.baseURI);
  url.search = '';
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}

// A reply with its text. `also` has codes beside 2xx that are no failure.
async function ask(method, path, { query, body, key, also = [], limit = 10000 } = {}) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key) headers['Idempotency-Key'] = key;
  const [mine, abort] = [session, new AbortController()];
  const timer = setTimeout(() => abort.abort(), limit);
  pending.add(abort);
  let reply, text;
  try {
    reply = await fetch(address(path, query), {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: abort.signal,
      cache: 'no-store', credentials: 'same-origin', redirect: 'error', referrerPolicy: 'no-referrer',
    });
    text = await reply.text();
    ownReplies += 1;
  } catch {
    if (mine === session) throw new Failure('lost', 'The server did not reply.');
    throw new Failure('locked', 'The page is locked.');
  } finally {
    clearTimeout(timer);
    pending.delete(abort);
  }
  if (mine !== session) throw new Failure('locked', 'The page is locked.');
  if (reply.ok || also.includes(reply.status)) return { status: reply.status, headers: reply.headers, text };
  throw refusal(reply.status, text);
}

const explanation = ({ message, hint }) => `${sentence(message)}. ${sentence(hint ?? '')}`;

function refusal(status, text) {
  try {
    const { type, detail, hint } = JSON.parse(text);
    if (typeof detail === 'string') {
      return new Failure('refused', detail, typeof hint === 'string' ? hint : null, status, type);
    }
  } catch { /* The reply of a proxy is not JSON. */ }
  return new Failure('refused', `The server replied with HTTP ${status}.`, null, status);
}

async function askJSON(method, path, options) {
  const reply = await ask(method, path, options);
  try {
    return JSON.parse(reply.text);
  } catch {
    throw new Failure('lost', 'The reply was not JSON.');
  }
}

// 128 random bits. `crypto.randomUUID` exists only in secure contexts, and plain http to another machine is none.
function requestKey() {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
