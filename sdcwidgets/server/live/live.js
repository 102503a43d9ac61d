// This server shows live pages beside the documentation, so links lead to them instead of their descriptions.
for (const link of document.querySelectorAll("a[data-live]")) link.href = link.dataset.live;
