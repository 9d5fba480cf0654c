import { promotionExceptions, type PromotionException } from '@signalbox/contract'

const namesShown = 10

/** Renders one line for each reason for which keys were left out, with the flag that takes what it names. */
export function renderLeftOut<Reason extends PromotionException>(
  leftOut: readonly { readonly key: string; readonly reason: Reason }[],
  reasons: Readonly<Record<Reason, string>>,
): string[] {
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason)
  const order = [...byReason].toSorted(
    ([one], [other]) => promotionExceptions.indexOf(one) - promotionExceptions.indexOf(other),
  )
  return order.map(([reason, all]) => {
    const keys = all.map(({ key }) => key)
    const more = keys.length > namesShown ? `, and ${keys.length - namesShown} more` : ''
    const names = `${keys.slice(0, namesShown).join(', ')}${more}`
    return `  left out, ${reasons[reason]}: ${names} (--include ${reason})`
  })
}
