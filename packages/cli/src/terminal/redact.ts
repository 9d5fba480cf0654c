const tokens = /sbx_(b2m|m2m|rly|pat|agt|scm)_[0-9A-Za-z]+/g

/** Shortens every token of ours to its kind, so that a token typed by mistake is not repeated. */
export function redactTokens(text: string): string {
  return text.replaceAll(tokens, 'sbx_$1_…')
}
