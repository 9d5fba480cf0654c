/** Describes what a webhook of a tracker tells. */
export type TrackerEvent =
  /** The access of this server’s application to a site may have ended. */
  | { readonly type: 'accessRevoked' }
  /** It is none of ours, or cannot be read. `reason` is shown to people. */
  | { readonly type: 'ignored'; readonly reason: string }
