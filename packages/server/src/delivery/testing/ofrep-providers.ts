/** A published OFREP provider: what it does with its base URL, and what it reads in answers. */
export interface OfrepProvider {
  readonly language: string
  /** The name at its registry, and the version whose source was read. */
  readonly name: string
  readonly version: string
  /** `root`: it drops the path of the base URL, so the key alone has to name the environment. */
  readonly base: 'any' | 'root'
  /** Members without which it does not read an evaluation, or reads another outcome. */
  readonly evaluation: readonly Member[]
  /** The same of a rejection of one flag; `undefined`: it reads the status alone. */
  readonly rejection?: readonly Member[]
  /** It asks for all flags at once. */
  readonly asksForAll?: true
  /** It has no option for headers, so that it can send no key. */
  readonly sendsNoKey?: true
}

export type Member =
  | 'key'
  | 'value'
  | 'reason'
  | 'variant'
  | 'metadata'
  | 'errorCode'
  | 'errorDetails'

/** Lists what each language's published provider needs, as its source says. */
export const ofrepProviders: readonly OfrepProvider[] = [
  {
    language: 'JavaScript in browsers',
    name: '@openfeature/ofrep-web-provider',
    version: '0.4.3',
    base: 'any',
    evaluation: ['key', 'value', 'reason'],
    rejection: ['errorCode'],
    asksForAll: true,
  },
  {
    language: 'JavaScript on servers',
    name: '@openfeature/ofrep-provider',
    version: '0.1.3',
    base: 'any',
    // Without a value it answers GENERAL.
    evaluation: ['key', 'value', 'reason'],
    rejection: ['key', 'errorCode'],
  },
  {
    language: 'Python',
    name: 'openfeature-provider-ofrep',
    version: '0.3.0',
    base: 'any',
    // `data["variant"]` and `data["reason"]`: a KeyError, and the default of the code for every flag.
    evaluation: ['value', 'reason', 'variant'],
    rejection: ['errorCode', 'errorDetails'],
  },
  {
    language: 'Go',
    name: 'go-sdk-contrib/providers/ofrep',
    version: '0.1.7',
    base: 'any',
    evaluation: ['value', 'reason'],
    rejection: ['errorCode', 'errorDetails'],
  },
  {
    language: 'Java',
    name: 'dev.openfeature.contrib.providers:ofrep',
    version: '0.0.2',
    base: 'any',
    // It copies the metadata of every answer, rejections too: a NullPointerException without them.
    evaluation: ['value', 'reason', 'metadata'],
    rejection: ['metadata'],
  },
  {
    language: '.NET',
    name: 'OpenFeature.Providers.Ofrep',
    version: '0.1.5',
    base: 'root',
    evaluation: ['key', 'value', 'reason'],
    rejection: ['key', 'errorCode', 'errorDetails'],
  },
  {
    language: 'Ruby',
    name: 'openfeature-ofrep-provider',
    version: '0.1.2',
    base: 'root',
    // Its list of required keys.
    evaluation: ['key', 'value', 'reason', 'variant'],
  },
  {
    language: 'Rust',
    name: 'open-feature-ofrep',
    version: '0.1.2',
    base: 'any',
    evaluation: ['value'],
  },
  {
    language: 'PHP',
    name: 'open-feature/go-feature-flag-provider',
    version: 'of 2026-01-05',
    base: 'any',
    evaluation: ['key', 'value', 'reason', 'variant'],
    rejection: ['key', 'errorCode'],
  },
  {
    language: 'Kotlin',
    name: 'dev.openfeature.kotlin.contrib.providers:ofrep',
    version: '0.1.0',
    base: 'any',
    evaluation: ['key', 'value', 'reason'],
    rejection: ['errorCode'],
    asksForAll: true,
  },
  {
    language: 'Swift',
    name: 'swift-open-feature/swift-ofrep',
    version: 'of 2025',
    base: 'any',
    evaluation: ['value', 'reason'],
    rejection: ['errorCode'],
    sendsNoKey: true,
  },
]
