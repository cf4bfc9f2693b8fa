// Read a record file and upload it unchanged.
const start = JSON.parse(document.getElementById("start").textContent);
const { $, asked } = await import(start.modules.studio);

$("file").addEventListener("change", async () => {
  const [file] = $("file").files;
  if (!file) return;
  const told = await asked("/replay", { method: "POST", body: file, headers: { "content-type": "application/x-ndjson" } });
  if (told.address) location.assign(told.address);
  else $("error").textContent = told.refused?.words ?? "";
});
