// A beach from high above: foam in bands, and someone walking with a long shadow.

float foamLine(float x, float k) {
  return 0.34 * (fbm(vec2(x * 0.85 + k * 7.0, k), 3) - 0.45) + 0.045 * (fbm(vec2(x * 5.0, k + 3.0), 4) - 0.5);
}

vec3 photo(vec2 uv) {
  vec2 p = turn(0.42) * uv;
  float y = p.y - 0.30;
  vec3 sand = vec3(0.62, 0.47, 0.32) * (0.88 + 0.20 * fbm(p * 5.0, 5) + 0.10 * (noise(p * 160.0) - 0.5));
  sand *= 0.95 + 0.07 * sin(p.y * 60.0 + 9.0 * fbm(p * 3.0, 3)) * smoothstep(-0.2, -0.7, y);
  float reach = foamLine(p.x, 1.0);
  float damp = smoothstep(reach - 0.42, reach - 0.05, y - 0.07 * fbm(vec2(p.x * 3.0, 4.0), 4));
  vec3 c = mix(sand, vec3(0.27, 0.20, 0.145) * (0.9 + 0.2 * fbm(p * 9.0, 3)), damp);
  c += vec3(0.30, 0.30, 0.30) * damp * smoothstep(0.45, 0.75, fbm(vec2(p.x * 2.0, y * 8.0), 4)) * 0.5;
  float depth = y - reach;
  vec3 sea = mix(vec3(0.34, 0.46, 0.42), vec3(0.020, 0.155, 0.20), smoothstep(-0.02, 0.75, depth));
  sea *= 0.85 + 0.35 * fbm(vec2(p.x * 4.0, y * 10.0) + fbm(p * 4.0, 3), 4);
  c = mix(c, sea, smoothstep(0.0, 0.10, depth) * 0.95);
  for (int k = 1; k < 5; k++) {
    float f = float(k), line = foamLine(p.x, f) + 0.27 * (f - 1.0), d = y - line;
    float width = 0.035 + 0.05 * fbm(vec2(p.x * 2.0, f * 9.0), 3) + 0.03 * (f > 1.5 ? 1.0 : 0.0);
    vec2 q = vec2(p.x, y) * 9.0 + 0.9 * vec2(fbm(p * 7.0, 4), fbm(p * 7.0 + 9.0, 4));
    vec3 cell = cells(q), small = cells(q * 2.7);
    float lace = max(smoothstep(0.16, 0.02, cell.y - cell.x), 0.8 * smoothstep(0.14, 0.03, small.y - small.x));
    float crest = smoothstep(-0.004, 0.006, d) * smoothstep(width, width * 0.15, d);
    float trail = lace * smoothstep(0.0, 0.02, d) * smoothstep(0.26, 0.02, d) * (0.4 + 0.6 * fbm(p * 3.0 + f, 3));
    c = mix(c, vec3(0.93, 0.93, 0.90) * (0.82 + 0.2 * noise(p * 50.0)), clamp(crest + trail * 0.8, 0.0, 1.0));
    c *= 1.0 - 0.25 * smoothstep(0.03, 0.0, -d) * step(d, 0.0) * (f > 1.5 ? 1.0 : 0.4);
  }
  for (int i = 0; i < 26; i++) {
    float k = float(i);
    vec2 at = vec2(0.34 - 0.042 * k, -0.36 - 0.004 * k + 0.04 * sin(k * 0.35) + (i % 2 == 0 ? 0.007 : -0.007));
    vec2 q = turn(0.1) * (p - at);
    float foot = length(q * vec2(1.0, 1.9));
    c *= 1.0 - 0.40 * smoothstep(0.010, 0.004, foot) + 0.18 * smoothstep(0.006, 0.002, length((q - vec2(0.005, -0.004)) * vec2(1.0, 1.9)));
  }
  vec2 w = p - vec2(0.37, -0.36), s = turn(0.52) * w;
  float shadow = min(segment(s, vec2(0.0), vec2(0.05, -0.30)) - 0.012 - 0.02 * smoothstep(-0.06, -0.26, s.y), length((s - vec2(0.06, -0.345)) * vec2(1.2, 0.8)) - 0.017);
  shadow = min(shadow, segment(s, vec2(0.045, -0.26), vec2(0.005, -0.17)) - 0.008);
  c *= 1.0 - 0.62 * smoothstep(0.010, -0.006, shadow);
  vec3 coat = vec3(0.62, 0.07, 0.04);
  c = mix(c, coat * (0.7 + 0.6 * smoothstep(0.02, -0.02, w.x)), smoothstep(0.003, -0.003, length(w * vec2(1.5, 1.0)) - 0.031));
  c = mix(c, vec3(0.045, 0.03, 0.025), smoothstep(0.003, -0.003, length(w - vec2(-0.003, 0.006)) - 0.0145));
  return c * 1.45;
}
