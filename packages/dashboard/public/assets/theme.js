// Before the first paint, so that nobody sees the other theme flash by. Left out: what the system says.
{
  const chosen = localStorage.getItem('theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
}
