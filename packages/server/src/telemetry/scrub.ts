import { cutText } from '@signalbox/contract'
const textCharactersMax = 500

/** Our own tokens keep the part that lists show anyway, so that a leaked one can be found and revoked. */
const ownToken = /\b(sbx_[a-z0-9]{3}_[0-9A-Za-z]{10})[0-9A-Za-z]{20,}/g
const jsonWebToken = /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g
const authorization = /\b(Bearer|Basic)\s+[^\s"',;]{8,}/gi
const urlCredentials = /(:\/\/)[^\s/@]{1,200}@/g
const urlParameter = /([?&][\w.-]{1,64}=)[^\s&#"']+/g
/** 40 characters without a break have more entropy than any of our words or ids. */
const longSecret = /[A-Za-z0-9_+-]{40,}={0,2}/g
const quotedText = /"[^"\n]{1,2000}"|'[^'\n]{1,2000}'|`[^`\n]{1,2000}`/g

/**
 * Removes text that looks like a credential. It is the second line of defence: the first is that only known fields are
 * logged. Cuts the text to 500 characters.
 */
export function scrub(text: string): string {
  const short = text.length > textCharactersMax ? `${cutText(text, textCharactersMax)}…` : text
  return short
    .replace(ownToken, '$1…')
    .replace(jsonWebToken, '[token]')
    .replace(authorization, '$1 [token]')
    .replace(urlCredentials, '$1[credentials]@')
    .replace(urlParameter, '$1…')
    .replace(longSecret, redactLong)
}

/** Scrubs text from outside, such as a database's message. It removes quoted parts too, because they may be values. */
export function scrubForeign(text: string): string {
  return scrub(text.replace(quotedText, '"…"'))
}

/** Words joined by `_` or `-` are names; a secret mixes letters and digits. */
function redactLong(text: string): string {
  return /\d/.test(text) && /[A-Za-z]/.test(text) ? '[secret]' : text
}
