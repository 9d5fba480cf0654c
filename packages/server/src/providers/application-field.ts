/** Describes one value of an application at a provider: a setting, a field of the form, a part of what is stored. */
export interface ApplicationField {
  /** In the API, and in what is stored. Example: `clientSecret`. */
  readonly name: string
  /** The end of the setting's name. Example: `CLIENT_SECRET`, which follows `SIGNALBOX_<NAME>_`. */
  readonly setting: string
  /** Explains the setting. */
  readonly meaning: string
  /** Names it in a form. */
  readonly label: string
  /**
   * - `identity`: says which application it is. With another one, the stored secrets do not fit any more.
   * - `text`: shown as well, and may change.
   * - `secret`: stored sealed, and never shown.
   * - `webhookSecret`: the same, for what the provider signs webhooks with. May be left out, and two are good while one is
   *   being replaced.
   */
  readonly role: 'identity' | 'text' | 'secret' | 'webhookSecret'
  /** A text of many lines: a key. */
  readonly isMultiline?: boolean
  readonly hint?: string
  readonly placeholder?: string
  readonly check?: FieldCheck
}

/** Checks the value of a field. */
export interface FieldCheck {
  readonly accepts: (value: string) => boolean
  /** Says what to do, of a value that was entered. */
  readonly advice: string
  /** Says what a setting must be, after its name. Left out: settings are not checked. */
  readonly setting?: string
}

/** Describes an address of a provider. Others than the public ones are a server of one's own, or a sandbox. */
export interface ProviderAddress {
  /** Example: `api`. */
  readonly name: string
  /** The end of the setting's name. Example: `API_URL`. */
  readonly setting: string
  readonly default: string
  readonly meaning: string
}

/** Returns whether a field is never shown. */
export function isSecret({ role }: Pick<ApplicationField, 'role'>): boolean {
  return role === 'secret' || role === 'webhookSecret'
}

/** Returns whether an ID or a secret can be right: a copied one sometimes has white space in it. */
export function hasNoSpaces(value: string): boolean {
  return !/\s/.test(value)
}
