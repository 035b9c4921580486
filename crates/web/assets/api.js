/** Talking to the server: JSON there and back, and every failure as a sentence to show. */

import { t } from './words.js';

/** A request that failed, with a sentence for the person as its message. */
export class ApiError extends Error {
  constructor(message, code, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** How long to wait before each further try after the network was lost, in milliseconds. */
const PAUSES = [400, 1200, 3000];

/** The longest `Retry-After` of a 429 that is waited for instead of shown as an error, in seconds. */
const PATIENCE = 5;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Gets a resource.
 * @param {string} path below `/api/v1/`
 * @param {Object<string, string>} [query]
 * @param {AbortSignal} [signal]
 */
export function get(path, query = {}, signal = undefined) {
  const search = new URLSearchParams(query).toString();
  return request(`/api/v1/${path}${search ? `?${search}` : ''}`, { signal }, true);
}

/**
 * Posts a body.
 * @param {string} path below `/api/v1/`
 * @param {Object} [body]
 * @param {{again?: boolean}} [options] `again`: the request may be sent twice without harm, and is
 *   sent again when the network is lost
 */
export function post(path, body = {}, { again = false } = {}) {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  return request(`/api/v1/${path}`, init, again);
}

async function request(url, init, again) {
  for (let attempt = 0; ; attempt += 1) {
    const last = !again || attempt >= PAUSES.length;
    let response;
    try {
      response = await fetch(url, { credentials: 'same-origin', ...init });
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      if (last) throw new ApiError(t('error.network'), 'network', 0);
      await pause(PAUSES[attempt]);
      continue;
    }
    if (response.status === 429) {
      const seconds = Number(response.headers.get('Retry-After')) || 1;
      // A refused request did nothing, so that any may be sent again.
      if (seconds <= PATIENCE && attempt < PAUSES.length) {
        await pause(seconds * 1000);
        continue;
      }
      throw new ApiError(t('error.too-many', { n: seconds }), 'too-many', 429);
    }
    return answer(response);
  }
}

async function answer(response) {
  let body = null;
  try {
    body = await response.json();
  } catch {
    // What is no JSON comes from something between us and the server; the status says enough.
  }
  if (response.ok && body) return body;
  const { code = 'server', message = t('error.server') } = body?.error ?? {};
  throw new ApiError(message, code, response.status);
}
