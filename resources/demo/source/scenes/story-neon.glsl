// A neon fish over a closed fish bar, brick and a bit of rain.

float fish(vec2 p) {
  float best = 9.0;
  vec2 last = vec2(0.0);
  for (int i = 0; i <= 22; i++) {
    float t = float(i) / 22.0 * 6.2832 * 0.80 + 0.63;
    vec2 at = vec2(cos(t) * 0.24, sin(t) * 0.125 * (1.0 - 0.12 * cos(t)));
    if (i > 0) best = min(best, segment(p, last, at));
    last = at;
  }
  best = min(best, segment(p, vec2(0.195, 0.074), vec2(0.33, -0.105)));
  best = min(best, segment(p, vec2(0.195, -0.074), vec2(0.33, 0.105)));
  return min(best, segment(p, vec2(0.33, -0.105), vec2(0.33, 0.105)));
}

float details(vec2 p) {
  float best = abs(length(p - vec2(-0.135, 0.030)) - 0.020);
  for (int i = 0; i < 3; i++) {
    vec2 q = p - vec2(-0.02 + 0.075 * float(i), 0.0);
    best = min(best, max(abs(length(q - vec2(0.05, 0.0)) - 0.060), q.x - 0.01));
  }
  return best;
}

float waves(vec2 p) { return max(abs(p.y - 0.022 * sin(p.x * 30.0)), abs(p.x) - 0.30); }

float arrow(vec2 p) {
  float d = segment(p, vec2(-0.22, 0.10), vec2(0.10, 0.10));
  d = min(d, segment(p, vec2(0.10, 0.10), vec2(0.10, -0.08)));
  return min(d, min(segment(p, vec2(0.10, -0.08), vec2(0.045, -0.015)), segment(p, vec2(0.10, -0.08), vec2(0.155, -0.015))));
}

/** A glass tube with light in it, and what it throws on the wall. */
vec3 tube(float d, vec3 tint) { return tint * (3.6 * smoothstep(0.0115, 0.004, d) + 0.55 * exp(-d * 24.0) + 0.24 * exp(-d * 6.0)) + vec3(1.6) * smoothstep(0.006, 0.001, d); }

vec3 photo(vec2 uv) {
  vec2 g = uv * vec2(8.6, 21.0);
  g.x += 0.5 * mod(floor(g.y), 2.0);
  vec2 cell = floor(g), f = fract(g), edge = min(f, 1.0 - f) * vec2(2.4, 1.0);
  float mortar = smoothstep(0.10, 0.17, min(edge.x, edge.y) + 0.04 * (noise(uv * 90.0) - 0.5));
  float bump = fbm(uv * 26.0, 4);
  vec3 brick = mix(vec3(0.20, 0.19, 0.18), mix(vec3(0.36, 0.16, 0.11), vec3(0.22, 0.10, 0.085), hash2(cell)), mortar) * (0.55 + 0.8 * bump);
  vec2 p = uv - vec2(-0.02, 0.33);
  vec3 red = vec3(1.0, 0.16, 0.13), blue = vec3(0.12, 0.52, 1.0), gold = vec3(1.0, 0.62, 0.14);
  float a = fish(p), b = details(p), w = min(waves(p + vec2(0.0, 0.235)), waves(p + vec2(0.035, 0.300))), r = arrow(uv - vec2(0.16, -0.10));
  vec3 light = red * (0.85 * exp(-a * 5.2) + 0.20 * exp(-a * 1.6)) + gold * 0.42 * exp(-b * 8.0) + blue * (0.85 * exp(-w * 5.5) + 0.14 * exp(-w * 1.8)) + gold * (0.75 * exp(-r * 6.0) + 0.12 * exp(-r * 2.0));
  vec3 c = brick * (light * 2.3 + vec3(0.020, 0.024, 0.040));
  float board = box2(p + vec2(0.0, 0.06), vec2(0.395, 0.325)) - 0.02;
  c *= 1.0 - 0.35 * smoothstep(0.05, 0.0, board) * step(0.0, board);
  float bracket = min(min(abs(p.x - 0.26), abs(p.x + 0.26)) - 0.006, 9.0);
  c = mix(c, vec3(0.010) + light * 0.03, smoothstep(0.003, -0.003, max(bracket, abs(p.y + 0.06) - 0.36)));
  if (uv.y < -0.36) {
    vec2 s = uv - vec2(0.0, -0.36);
    float slat = fract(s.y * 24.0);
    c = vec3(0.085, 0.090, 0.10) * (0.30 + 0.9 * slat) * (light * 1.15 + vec3(0.05, 0.055, 0.07)) * (0.85 + 0.25 * fbm(uv * 7.0, 4));
    float tag = abs(length((s - vec2(0.10, -0.30)) * vec2(1.0, 1.6)) - 0.13 - 0.03 * sin(atan(s.y + 0.3, s.x - 0.1) * 3.0)) - 0.010;
    c = mix(c, vec3(0.16, 0.20, 0.24) * (light + 0.22), smoothstep(0.008, -0.004, tag) * 0.8);
    c *= smoothstep(0.0, -0.03, s.y) * 0.85 + 0.15;
    float frame = 0.455 - abs(uv.x);
    c = mix(vec3(0.012) + light * 0.02, c, smoothstep(-0.003, 0.003, frame));
    vec2 pane = uv - vec2(-0.30, -0.60);
    float paper = box2(turn(0.06) * pane, vec2(0.075, 0.10));
    c = mix(c, vec3(0.46, 0.44, 0.40) * (light + 0.10) * (1.0 - 0.6 * step(0.62, noise(vec2(pane.x * 60.0, floor(pane.y * 60.0)))) * step(abs(fract(pane.y * 30.0) - 0.5), 0.2)), smoothstep(0.003, -0.003, paper));
  }
  c += tube(a, red) + tube(b, gold) + tube(w, blue) * 0.9 + tube(r, gold) * 0.85;
  for (int k = 0; k < 3; k++) {
    vec2 q = turn(0.10) * uv * vec2(24.0 + 14.0 * float(k), 2.6 + float(k)), n = floor(q);
    float y = fract(q.y + hash1(n.x) * 7.0);
    c += (light * 0.30 + 0.02) * smoothstep(0.09, 0.0, abs(fract(q.x) - 0.5)) * smoothstep(0.0, 0.2, y) * smoothstep(0.45, 0.2, y) * step(0.72, hash2(n + 3.0)) * 0.42;
  }
  return c;
}
