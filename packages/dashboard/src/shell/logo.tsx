/** Renders the product's logo and name. */
export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold">
      <img src="/assets/mark.svg" alt="" width={22} height={22} />
      Signalbox
    </span>
  )
}
