// Prints what is folded, too.
addEventListener('beforeprint', () => {
  for (const block of document.querySelectorAll('details')) block.open = true;
});
// A link to a folded block unfolds it.
function reveal() {
  const block = document.getElementById(location.hash.slice(1).split('?')[0]);
  if (block && block.tagName === 'DETAILS') block.open = true;
  if (block) block.scrollIntoView();
}
addEventListener('hashchange', reveal);
reveal();
