/** Describes what a webhook of a tracker tells. */
export type TrackerEvent =
  /** The access of this server’s application to a site may have ended. */
  | { readonly type: 'accessRevoked' }
  /** The part of a site that this server may reach may have changed. */
  | { readonly type: 'accessChanged' }
  /** An issue was opened, changed or removed. What it is now is asked for. `key` is in its stored form. */
  | { readonly type: 'issueChanged'; readonly key: string; readonly externalId: string }
  /** It is none of ours, or cannot be read. `reason` is shown to people. */
  | { readonly type: 'ignored'; readonly reason: string }
