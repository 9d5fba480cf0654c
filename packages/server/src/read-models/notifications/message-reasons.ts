/** Names why a message without a channel is held. */
export const noChannelReason = 'no_channel'

/** Names why a message waits for a person: it may have arrived, and nobody can tell. */
export const unknownReason = 'outcome_unknown'

/** Names why a message is over that a person has seen in the channel: Signalbox does not know its id, so it cannot edit it. */
export const seenReason = 'seen_in_channel'
