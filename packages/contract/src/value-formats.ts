/** Lists the formats that a text may be required to have, the usual ones first. */
export const textFormats = [
  'uri',
  'email',
  'hostname',
  'uuid',
  'date',
  'date-time',
  'time',
  'duration',
  'ipv4',
  'ipv6',
  'url',
  'uri-reference',
  'uri-template',
  'regex',
  'iso-date-time',
  'iso-time',
  'byte',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
  'password',
  'binary',
] as const

/** Lists the formats that a number may be required to have. */
export const numberFormats = ['int32', 'int64', 'float', 'double'] as const

/** Names a format that a constraint can require. */
export type ValueFormat = (typeof textFormats)[number] | (typeof numberFormats)[number]
