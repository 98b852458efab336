// One maple leaf held up to the sun.

/** Five lobes about the stalk: how far the edge is at an angle. */
float edge(float a) {
  float best = 0.0;
  for (int i = 0; i < 7; i++) {
    float k = float(i) - 3.0, to = k * 0.70, tall = 0.98 - 0.075 * k * k + 0.02 * abs(k), d = a - to;
    float lobe = tall / (1.0 + 5.2 * pow(abs(d), 1.35));
    lobe *= 1.0 + 0.10 * pow(abs(sin(d * 11.0 + 0.6 * k)), 0.7) * smoothstep(0.0, 0.12, abs(d));
    best = max(best, lobe);
  }
  return best + 0.012 * noise(vec2(a * 40.0, 2.0));
}

float veins(vec2 p, out float fine) {
  float best = 9.0, side = 9.0;
  for (int i = 0; i < 7; i++) {
    float k = float(i) - 3.0;
    vec2 q = turn(-k * 0.70) * p;
    q.x += 0.02 * sin(q.y * 7.0 + k);
    if (q.y < 0.0) continue;
    best = min(best, abs(q.x) - 0.010 * (1.0 - q.y));
    float along = q.y * 9.5 - abs(q.x) * 8.5 + (q.x > 0.0 ? 0.5 : 0.0);
    float near = abs(fract(along) - 0.5) / 12.0;
    if (abs(q.x) < q.y * 0.36 + 0.02) side = min(side, near);
  }
  vec3 mesh = cells(p * 17.0), finer = cells(p * 46.0);
  fine = max(smoothstep(0.10, 0.0, mesh.y - mesh.x), 0.6 * smoothstep(0.10, 0.0, finer.y - finer.x));
  return max(smoothstep(0.010, 0.0, best), 0.75 * smoothstep(0.008, 0.001, side));
}

vec3 background(vec2 p) {
  vec3 c = mix(vec3(0.10, 0.085, 0.03), vec3(0.40, 0.30, 0.09), smoothstep(-1.0, 1.0, p.y + 0.4 * p.x));
  for (int i = 0; i < 38; i++) {
    float k = float(i);
    vec2 at = vec2(1.9 * hash1(k * 1.3) - 0.95, 2.3 * hash1(k * 2.9) - 1.15);
    float r = 0.09 + 0.13 * hash1(k * 4.7), d = length(p - at);
    vec3 tint = mix(vec3(0.95, 0.55, 0.10), vec3(0.55, 0.62, 0.16), hash1(k * 8.1));
    c += tint * smoothstep(r, r * 0.9, d) * (0.7 + 0.5 * smoothstep(r * 0.5, r, d)) * 0.24 * hash1(k * 6.3);
  }
  return c;
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 shake = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec3 c = background(uv + 0.02 * shake);
  vec2 p = turn(0.28) * (uv - vec2(-0.05, -0.30) + 0.010 * shake * smoothstep(0.3, 1.0, length(uv - vec2(0.0, 0.0)))) / 1.12;
  float stalk = segment(p, vec2(0.0), vec2(0.02, -0.35));
  stalk = min(stalk, segment(p, vec2(0.02, -0.35), vec2(-0.10, -0.9)));
  c = mix(c, vec3(0.32, 0.05, 0.03), smoothstep(0.016, 0.010, stalk));
  float a = atan(p.x, p.y), r = length(p), rim = edge(a);
  if (r < rim) {
    float fine, v = veins(p, fine);
    float blotch = fbm(p * 3.4 + 4.0, 5), away = r / rim;
    vec3 leaf = mix(vec3(1.25, 0.62, 0.06), vec3(1.05, 0.16, 0.03), smoothstep(0.30, 0.62, blotch * 0.7 + away * 0.32));
    leaf = mix(leaf, vec3(0.75, 0.72, 0.10), smoothstep(0.50, 0.28, blotch) * smoothstep(0.7, 0.1, away) * 0.8);
    leaf *= 1.0 - 0.45 * v - 0.16 * fine;
    leaf = mix(leaf, vec3(0.17, 0.06, 0.02), smoothstep(0.68, 0.76, fbm(p * 8.0 + 1.0, 4)) * 0.8 + smoothstep(0.965, 1.0, away) * 0.5);
    vec2 hole = p - vec2(0.21, 0.42);
    float light = 0.55 + 0.75 * smoothstep(-0.6, 0.9, uv.y + 0.3 * uv.x) + 0.5 * exp(-6.0 * dot(uv - vec2(0.18, 0.30), uv - vec2(0.18, 0.30)));
    float bump = fbm(p * 14.0, 3) - fbm(p * 14.0 + 0.25, 3);
    leaf *= light * (1.0 + 0.5 * bump);
    float torn = length(hole * vec2(1.0, 1.4)) - 0.026 - 0.012 * noise(p * 40.0);
    c = mix(c, torn < 0.0 ? c : mix(leaf, vec3(0.2, 0.07, 0.02), smoothstep(0.014, 0.0, torn)), smoothstep(0.0, 0.006, rim - r));
  }
  return c;
}
