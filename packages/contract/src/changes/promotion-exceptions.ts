/**
 * Lists why a promotion of all keys leaves one out: its values are expected to differ, it is a secret, or its flag is turned off
 * in one of the two environments.
 */
export const promotionExceptions = ['expectedToDiffer', 'secret', 'turnedOff'] as const

/** Names why a promotion of all keys leaves a key out. */
export type PromotionException = (typeof promotionExceptions)[number]

/** Lists why a restore of a whole version leaves a key out: its flag is turned off now, and is not in the version. */
export const restoreExceptions = ['turnedOff'] as const satisfies readonly PromotionException[]

/** Names why a restore of a whole version leaves a key out. */
export type RestoreException = (typeof restoreExceptions)[number]
