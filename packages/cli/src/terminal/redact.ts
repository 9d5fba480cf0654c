const tokens = /sbx_(b2m|m2m|pat)_[0-9A-Za-z]+/g

/** `text` with every token of ours cut down to its kind: what somebody typed by mistake is not repeated. */
export function redactTokens(text: string): string {
  return text.replaceAll(tokens, 'sbx_$1_…')
}
